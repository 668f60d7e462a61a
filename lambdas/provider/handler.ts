import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { systemClock } from '../core/clock/system-clock';
import { ProviderEnv } from '../core/contracts/env';
import type { Identity } from '../core/domain/identity';
import { apiInvoker } from '../core/platform/api-function';
import { telemetry } from '../core/platform/invocation';
import { loadEnv } from '../core/platform/load-env';
import { powertoolsLog } from '../core/platform/logger';
import { powertoolsMeter } from '../core/platform/meter';
import { putSecret } from '../core/platform/put-secret';
import { provide } from './provide';
import { respond } from './respond';
import type { StackEvent } from './stack-event';

const env = loadEnv(ProviderEnv, process.env);
const observability = { log: powertoolsLog('provider'), meter: powertoolsMeter('provider', env) };
const clock = systemClock;

/** The owner of the project that a resource names. A key gets no more rights than this. */
const ownerOf = (project: string): Identity => ({
  sub: 'quarterjack-stack',
  name: null,
  kind: 'client',
  projects: [{ name: project, role: 'owner' }],
  scopes: ['jobs:read', 'jobs:write', 'work', 'project:admin'],
  expiresAt: Number.MAX_SAFE_INTEGER,
});

async function handleEvent(event: StackEvent): Promise<void> {
  const response = await provide(event, {
    api: (project, call) => apiInvoker(env.API_FUNCTION, ownerOf(project))(call),
    putSecret,
    clock,
    log: observability.log,
  });
  await respond(event.ResponseURL, response, { fetch, clock });
}

export const handler = middy<StackEvent, void, Error, Context>(handleEvent, {
  timeoutEarlyInMillis: 0,
}).use(telemetry(observability));
