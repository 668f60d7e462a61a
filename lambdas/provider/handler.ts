import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { systemClock } from '../core/clock/system-clock';
import { ProviderEnv } from '../core/contracts/env';
import { apiInvoker } from '../core/platform/api-function';
import { telemetry } from '../core/platform/invocation';
import { loadEnv } from '../core/platform/load-env';
import { powertoolsLog } from '../core/platform/logger';
import { powertoolsMeter } from '../core/platform/meter';
import { putSecret } from '../core/platform/put-secret';
import { readManifest } from '../core/platform/read-manifest';
import { ownerOf } from './project-api';
import { provide } from './provide';
import { respond } from './respond';
import type { StackEvent } from './stack-event';

const env = loadEnv(ProviderEnv, process.env);
const observability = { log: powertoolsLog('provider'), meter: powertoolsMeter('provider', env) };
const clock = systemClock;

async function handleEvent(event: StackEvent): Promise<void> {
  const response = await provide(event, {
    api: (project, call) => apiInvoker(env.API_FUNCTION, ownerOf(project))(call),
    putSecret,
    readManifest: (url) => readManifest(url, { nowMs: clock.nowMs(), fetch }),
    clock,
    log: observability.log,
  });
  await respond(event.ResponseURL, response, { fetch, clock });
}

export const handler = middy<StackEvent, void, Error, Context>(handleEvent, {
  timeoutEarlyInMillis: 0,
}).use(telemetry(observability));
