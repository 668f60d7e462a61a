import {
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { cached, cachedByKey, lazy } from '../async/cached';
import { type Clock, MINUTE_MS } from '../clock/clock';
import type { SealingKeys } from '../delivery/secrets/seal';
import type { DeploymentSecret } from '../delivery/signing/deployment-secret';
import { handlerWith, MAX_ATTEMPTS } from './client-settings';

const SECRETS_TIMEOUT_MS = 5_000;
const MIN_BYTES = 32;

const secretsClient = (): SecretsManagerClient =>
  new SecretsManagerClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: handlerWith(SECRETS_TIMEOUT_MS) });

/** Reads the secret once and keeps it. A failed read is repeated at the next call. */
export const secretsManagerSecret = (
  secretArn: string,
  client: Pick<SecretsManagerClient, 'send'> = secretsClient(),
): DeploymentSecret => ({ get: lazy(() => readSecret(client, secretArn)) });

/** The text of a secret of the operator, read anew at each call. */
export async function secretsManagerText(
  secretArn: string,
  client: Pick<SecretsManagerClient, 'send'> = secretsClient(),
): Promise<string> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
  return SecretString;
}

/** Processes seal with a new version of the secret from this time on. */
const CURRENT_CACHED_MS = 5 * MINUTE_MS;
/** Versions that a process has opened values of. Secrets Manager keeps about a hundred. */
const MAX_VERSIONS = 100;

/** The versions of the secret by the ids that Secrets Manager gives them. A version never changes. */
export function secretsManagerKeys(
  secretArn: string,
  clock: Clock,
  client: Pick<SecretsManagerClient, 'send'> = secretsClient(),
): SealingKeys {
  const version = cachedByKey((id: string) => readVersion(client, secretArn, id), {
    ttlMs: Number.POSITIVE_INFINITY,
    clock,
    maxKeys: MAX_VERSIONS,
  });
  return {
    current: cached(CURRENT_CACHED_MS, clock, async () => {
      const { VersionId, secret } = await readValue(client, { SecretId: secretArn });
      if (!VersionId) throw new Error(`secret ${secretArn} has no version id`);
      return { version: VersionId, secret };
    }),
    version,
  };
}

async function readVersion(
  client: Pick<SecretsManagerClient, 'send'>,
  SecretId: string,
  VersionId: string,
): Promise<Buffer | undefined> {
  try {
    return (await readValue(client, { SecretId, VersionId })).secret;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

const readSecret = async (client: Pick<SecretsManagerClient, 'send'>, SecretId: string): Promise<Buffer> =>
  (await readValue(client, { SecretId })).secret;

async function readValue(client: Pick<SecretsManagerClient, 'send'>, input: GetSecretValueCommandInput) {
  const { SecretString, SecretBinary, VersionId } = await client.send(new GetSecretValueCommand(input));
  const secret =
    SecretString === undefined ? Buffer.from(SecretBinary ?? []) : Buffer.from(SecretString, 'utf8');
  if (secret.length < MIN_BYTES) {
    throw new Error(`secret ${input.SecretId} has ${secret.length} bytes; expected at least ${MIN_BYTES}`);
  }
  return { secret, VersionId };
}
