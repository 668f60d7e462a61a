import * as z from 'zod/mini';

import { systemClock } from '../core/clock/system-clock';
import { CanaryEnv } from '../core/contracts/env';
import { apiFunction } from '../core/platform/api-function';
import { loadEnv } from '../core/platform/load-env';
import { powertoolsLog } from '../core/platform/logger';
import { powertoolsMeter } from '../core/platform/meter';
import { scheduledHandler } from '../core/platform/scheduled-handler';
import { runCanary } from './probe';

const env = loadEnv(CanaryEnv, process.env);
const observability = { log: powertoolsLog('canary'), meter: powertoolsMeter('canary', env) };
const deps = {
  ...observability,
  api: apiFunction(env.API_FUNCTION),
  clock: systemClock,
  targetUrl: new URL('/v1/health', env.API_URL).href,
};

export const handler = scheduledHandler(z.unknown(), observability, () => runCanary(deps));
