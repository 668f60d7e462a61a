import { instantText } from '../../core/clock/clock';
import type { SigningSecretView } from '../../core/http/secret-answers';
import { type SecretVersions, signingAlong } from '../../core/domain/secret-versions';
import { signingSecret } from '../../core/delivery/signing/standard-webhooks';
import { invalidField } from '../http/problem';
import type { ApiDeps } from '../request';

/** Whose secret it is. Without `host`: the project's legacy secret. */
export interface SecretOf {
  project: string;
  host: string | undefined;
}

/** The current secret, and the earlier versions that still sign along with it. */
export async function secretView(
  { project, host }: SecretOf,
  versions: SecretVersions,
  { secret, clock }: ApiDeps,
): Promise<SigningSecretView> {
  const { version } = versions;
  const along = signingAlong(versions, clock.nowMs());
  return {
    host: host ?? null,
    secret: signingSecret(await secret.get(), project, version, host),
    version,
    signingAlong: along.map((earlier) => ({ version: earlier.version, until: instantText(earlier.untilMs) })),
  };
}

/** Throws `ProblemError` 400 that names `host` if the project's legacy secret signs nothing. */
export function requireLegacy({ ended }: SecretVersions, { settings }: ApiDeps): void {
  if (settings.legacySigning !== false && !ended) return;
  const owner = ended ? 'this project' : 'this deployment';
  throw invalidField('host', `is required: the legacy secret of ${owner} signs no deliveries`);
}
