import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import type { DeploymentSecret } from '../delivery/signing/deployment-secret';
import { handlerWith, MAX_ATTEMPTS } from './client-settings';
import { lazy } from '../async/cached';

const SECRETS_TIMEOUT_MS = 5_000;
const MIN_BYTES = 32;

const secretsClient = (): SecretsManagerClient =>
  new SecretsManagerClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: handlerWith(SECRETS_TIMEOUT_MS) });

/** Reads the secret once and keeps it. A failed read is repeated at the next call. */
export const secretsManagerSecret = (
  secretArn: string,
  client: Pick<SecretsManagerClient, 'send'> = secretsClient(),
): DeploymentSecret => ({ get: lazy(() => readSecret(client, secretArn)) });

async function readSecret(client: Pick<SecretsManagerClient, 'send'>, secretArn: string): Promise<Buffer> {
  const { SecretString, SecretBinary } = await client.send(
    new GetSecretValueCommand({ SecretId: secretArn }),
  );
  const secret =
    SecretString === undefined ? Buffer.from(SecretBinary ?? []) : Buffer.from(SecretString, 'utf8');
  if (secret.length < MIN_BYTES) {
    throw new Error(`secret ${secretArn} has ${secret.length} bytes; expected at least ${MIN_BYTES}`);
  }
  return secret;
}
