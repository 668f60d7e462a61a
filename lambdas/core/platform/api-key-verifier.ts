import { verifyKey, type VerifyKeyDeps } from '../api-keys/verify-key';
import type { Random } from '../clock/random';
import type { Verification } from '../domain/identity';
import { dynamoApiKeyStore } from '../store/dynamo/dynamo-api-key-store';
import { documentsOf, dynamoClient } from './clients';

/** Verifies API keys by their rows in the Jobs table. A module of its own: most tokens are no keys. */
export function apiKeyVerifier(
  deps: Omit<VerifyKeyDeps, 'apiKeys'> & { random: Random; table: string },
): (key: string) => Promise<Verification> {
  const apiKeys = dynamoApiKeyStore({ ...deps, documents: documentsOf(dynamoClient()) });
  return (key) => verifyKey(key, { ...deps, apiKeys });
}
