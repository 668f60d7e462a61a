import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { lazy } from '../core/async/cached';
import { systemClock } from '../core/clock/system-clock';
import { systemRandom } from '../core/clock/system-random';
import { AuthorizerEnv } from '../core/contracts/env';
import { telemetry } from '../core/platform/invocation';
import { loadEnv } from '../core/platform/load-env';
import { powertoolsLog } from '../core/platform/logger';
import { powertoolsMeter } from '../core/platform/meter';
import { authorize, type AuthorizeDeps, type AuthorizerEvent, type AuthorizerResult } from './authorize';
import { fetchJson } from './fetch-json';
import { issuerOf } from './issuer';
import { issuerKeys } from './issuer-keys';
import { personName } from './person-name';

const env = loadEnv(AuthorizerEnv, process.env);
const observability = { log: powertoolsLog('authorizer'), meter: powertoolsMeter('authorizer', env) };
const clock = systemClock;
const issuer = issuerOf({ issuer: env.ISSUER, jwksUri: env.JWKS_URI || undefined }, fetchJson(clock));

// Few tokens are keys, and the SDK is most of what a cold start would load.
const keyVerifier = lazy(async () =>
  (await import('../core/platform/api-key-verifier.ts')).apiKeyVerifier({
    table: env.JOBS_TABLE,
    clock,
    random: systemRandom,
    log: observability.log,
  }),
);

const deps: AuthorizeDeps = {
  issuer: env.ISSUER,
  audience: env.AUDIENCE,
  keyOf: issuerKeys({ readKeySet: issuer.readKeySet, clock }),
  projects: env.PROJECTS,
  machineClients: env.MACHINE_CLIENTS.map((client, index) => ({
    ...client,
    clientId: env.MACHINE_CLIENT_IDS[index]!,
  })),
  verifyKey: async (key) => (await keyVerifier())(key),
  nameOf: personName({ userInfo: issuer.userInfo, clock }),
  clock,
};

const handleEvent = (event: AuthorizerEvent): Promise<AuthorizerResult> => authorize(event, deps);

export const handler = middy<AuthorizerEvent, AuthorizerResult, Error, Context>(handleEvent, {
  timeoutEarlyInMillis: 0,
}).use(telemetry(observability));
