import * as z from 'zod';

import { AuditorEnv } from '../core/contracts/env';
import { dispatchDeps } from '../core/runtime/dispatch-deps';
import { instrumentsOf } from '../core/runtime/instruments';
import { loadEnv } from '../core/runtime/load-env';
import { scheduledHandler } from '../core/runtime/scheduled-handler';
import { auditJobs } from './audit-jobs';

const env = loadEnv(AuditorEnv, process.env);
const instruments = instrumentsOf('auditor', env);
const deps = dispatchDeps(env, instruments);

export const handler = scheduledHandler(z.unknown(), instruments, (_, limits) => auditJobs(deps, limits));
