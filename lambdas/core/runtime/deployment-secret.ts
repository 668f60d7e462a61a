import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import type { DeploymentSecret } from '../targets/deployment-secret';

const MIN_BYTES = 32;

/** Reads the secret once and keeps it; a failed read is tried again at the next call. */
export function secretsManagerSecret(
  client: Pick<SecretsManagerClient, 'send'>,
  secretArn: string,
): DeploymentSecret {
  let read: Promise<Buffer> | undefined;
  return {
    async get() {
      read ??= readSecret(client, secretArn);
      try {
        return await read;
      } catch (error) {
        read = undefined;
        throw error;
      }
    },
  };
}

async function readSecret(client: Pick<SecretsManagerClient, 'send'>, secretArn: string): Promise<Buffer> {
  const { SecretString, SecretBinary } = await client.send(
    new GetSecretValueCommand({ SecretId: secretArn }),
  );
  const secret =
    SecretString === undefined ? Buffer.from(SecretBinary ?? []) : Buffer.from(SecretString, 'utf8');
  if (secret.length < MIN_BYTES) {
    throw new Error(`secret ${secretArn} holds ${secret.length} bytes; expected at least ${MIN_BYTES}`);
  }
  return secret;
}
