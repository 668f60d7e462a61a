import { type CryptoKey, generateKeyPair, SignJWT } from 'jose';

import { authorize, type AuthorizeDeps } from '../../lambdas/authorizer/authorize';
import { verifyKey } from '../../lambdas/core/api-keys/verify-key';
import { instantText } from '../../lambdas/core/clock/clock';
import { dynamoApiKeyStore } from '../../lambdas/core/store/dynamo/dynamo-api-key-store';
import { anApiKey } from '../../test/support/api-keys';
import { TABLES } from '../../test/support/dynamo/memory-backend';
import { MeteredDeployment } from './metered-deployment';
import { difference, type Totals } from './usage';

const ISSUER = 'https://issuer.example.com';
const AUDIENCE = 'quarterjack';
const TTL_SEC = 3_600;

/** What API Gateway asks about a request with a token of the issuer, whose keys are known. */
export async function tokenQuestion(): Promise<Totals> {
  const deployment = await MeteredDeployment.started(1, { auditor: false });
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const keyOf = async () => {
    deployment.usage.signature('authorizer');
    return publicKey;
  };
  const token = await tokenAt(deployment.clock.nowMs(), privateKey);
  return counted(deployment, token, { ...depsOf(deployment), keyOf });
}

/** What a question about an API key costs, if the key was used before on this day. */
export async function keyQuestion(): Promise<Totals> {
  const deployment = await MeteredDeployment.started(1, { auditor: false });
  const createdAtMs = deployment.clock.nowMs();
  const lastUsedOn = instantText(createdAtMs).slice(0, 'yyyy-mm-dd'.length);
  const { key, row } = anApiKey({ createdAtMs, lastUsedOn });
  await deployment.clock.settle(apiKeysOf(deployment).create(row, 100));
  return deployment.clock.settle(counted(deployment, key, depsOf(deployment)));
}

const apiKeysOf = (deployment: MeteredDeployment) =>
  dynamoApiKeyStore({ ...deployment.partsOf('authorizer'), table: TABLES.jobs });

function depsOf(deployment: MeteredDeployment): AuthorizeDeps {
  const { clock, log } = deployment;
  return {
    issuer: ISSUER,
    audience: [AUDIENCE],
    keyOf: async () => undefined,
    machineClients: [],
    projects: { from: 'sub', groupsClaim: 'cognito:groups' },
    verifyKey: (key) => verifyKey(key, { apiKeys: apiKeysOf(deployment), clock, log }),
    nameOf: async () => 'alice@example.com',
    clock,
  };
}

const tokenAt = (nowMs: number, privateKey: CryptoKey): Promise<string> =>
  new SignJWT({ scope: 'jobs:read' })
    .setProtectedHeader({ alg: 'RS256', kid: 'first' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject('alice')
    .setExpirationTime(Math.floor(nowMs / 1_000) + TTL_SEC)
    .sign(privateKey);

async function counted(
  deployment: MeteredDeployment,
  credentials: string,
  deps: AuthorizeDeps,
): Promise<Totals> {
  const before = deployment.totals();
  const event = { identitySource: [`Bearer ${credentials}`] };
  const { context } = await deployment.invoke('authorizer', () => authorize(event, deps));
  if ('problem' in context) throw new Error(`the authorizer rejected: ${JSON.stringify(context)}`);
  return difference(deployment.totals(), before);
}
