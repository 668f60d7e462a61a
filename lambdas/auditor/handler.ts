import * as z from 'zod';

import { AuditorEnv } from '../core/contracts/env';
import { dispatchDeps } from '../core/runtime/dispatch-deps';
import { loadEnv } from '../core/runtime/load-env';
import { powertoolsLog } from '../core/runtime/logger';
import { powertoolsMeter } from '../core/runtime/meter';
import { scheduledHandler } from '../core/runtime/scheduled-handler';
import { auditJobs } from './audit-jobs';

const env = loadEnv(AuditorEnv, process.env);
const instruments = { log: powertoolsLog('auditor'), meter: powertoolsMeter('auditor', env) };
const deps = dispatchDeps(env, instruments);

export const handler = scheduledHandler(z.unknown(), instruments, (_, limits) => auditJobs(deps, limits));
