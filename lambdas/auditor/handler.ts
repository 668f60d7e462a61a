import * as z from 'zod/mini';

import { AuditorEnv } from '../core/contracts/env';
import { documentsOf, dynamoClient } from '../core/platform/clients';
import { dispatchDeps } from '../core/platform/compose';
import { instrumentsOf } from '../core/platform/observability';
import { loadEnv } from '../core/platform/load-env';
import { scheduledHandler } from '../core/platform/scheduled-handler';
import { dynamoUsageStore } from '../core/store/dynamo/usage/dynamo-usage-store';
import { type AuditorDeps, auditJobs } from './audit-jobs';

const env = loadEnv(AuditorEnv, process.env);
const instruments = instrumentsOf('auditor', env);
const dispatching = dispatchDeps(env, instruments, { sender: 'one for each shard' });
const { clock, chance } = dispatching;
const documents = documentsOf(dynamoClient());

const deps: AuditorDeps = {
  ...dispatching,
  usage: dynamoUsageStore({ documents, clock, chance, table: env.JOBS_TABLE }),
  quotaLimits: env.QUOTAS,
};

export const handler = scheduledHandler(z.unknown(), instruments, (_, limits) => auditJobs(deps, limits));
