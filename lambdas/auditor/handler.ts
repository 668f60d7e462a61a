import * as z from 'zod/mini';

import { AuditorEnv } from '../core/contracts/env';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { scheduledHandler } from '../core/platform/scheduled-handler';
import { type AuditorDeps, auditJobs } from './audit-jobs';

const env = loadEnv(AuditorEnv, process.env);
const observability = observabilityOf('auditor', env);
const deps: AuditorDeps = {
  ...lambdaDeps('auditor', env, observability, { consoleUrl: env.CONSOLE_URL }),
  quotaLimits: env.QUOTAS,
};

export const handler = scheduledHandler(z.unknown(), observability, (_, budget) => auditJobs(deps, budget));
