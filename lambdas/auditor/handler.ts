import * as z from 'zod/mini';

import { AuditorEnv } from '../core/contracts/env';
import { documentsOf, dynamoClient } from '../core/runtime/clients';
import { dispatchDeps } from '../core/runtime/dispatch-deps';
import { instrumentsOf } from '../core/runtime/instruments';
import { loadEnv } from '../core/runtime/load-env';
import { scheduledHandler } from '../core/runtime/scheduled-handler';
import { dynamoUsageStore } from '../core/store/dynamo/jobs/usage';
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
