import { instantText } from '../../core/clock/clock';
import type { SigningSecretView } from '../../core/http/answers';
import { type SecretVersions, signingAlong } from '../../core/domain/secret-versions';
import { signingSecret } from '../../core/delivery/signing/standard-webhooks';
import type { ApiDeps } from '../request';

/** The current secret, and the earlier versions that still sign along with it. */
export async function secretView(
  project: string,
  versions: SecretVersions,
  { secret, clock }: ApiDeps,
): Promise<SigningSecretView> {
  const { version } = versions;
  const along = signingAlong(versions, clock.nowMs());
  return {
    secret: signingSecret(await secret.get(), project, version),
    version,
    signingAlong: along.map((earlier) => ({ version: earlier.version, until: instantText(earlier.untilMs) })),
  };
}
