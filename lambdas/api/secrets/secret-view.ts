import type { SigningSecretView } from '../../core/http/answers';
import { type SecretVersions, signingAlong } from '../../core/domain/secret-versions';
import { signingSecret } from '../../core/delivery/signing/standard-webhooks';
import { instantText } from '../http/instants';
import type { ApiDeps } from '../request';

/** The secret in force, and the versions that sign along for now. */
export async function secretView(
  userId: string,
  versions: SecretVersions,
  { secret, clock }: ApiDeps,
): Promise<SigningSecretView> {
  const { version } = versions;
  const along = signingAlong(versions, clock.nowMs());
  return {
    secret: signingSecret(await secret.get(), userId, version),
    version,
    signingAlong: along.map((one) => ({ version: one.version, until: instantText(one.untilMs) })),
  };
}
