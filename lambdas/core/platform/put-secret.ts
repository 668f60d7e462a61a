import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { handlerWith, MAX_ATTEMPTS } from './client-settings';

const TIMEOUT_MS = 5_000;

/** Replaces the value of a secret in Secrets Manager. */
export async function putSecret(
  secretArn: string,
  value: string,
  client: Pick<SecretsManagerClient, 'send'> = new SecretsManagerClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: handlerWith(TIMEOUT_MS),
  }),
): Promise<void> {
  await client.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString: value }));
}
