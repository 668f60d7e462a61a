import * as z from 'zod/mini';

import { AuditorEnv } from '../core/contracts/env';
import { documentsOf, dynamoClient } from '../core/platform/clients';
import { composeStage } from '../core/platform/compose';
import { observabilityOf } from '../core/platform/observability';
import { loadEnv } from '../core/platform/load-env';
import { scheduledHandler } from '../core/platform/scheduled-handler';
import { dynamoUsageStore } from '../core/store/dynamo/usage/dynamo-usage-store';
import { type AuditorDeps, auditJobs } from './audit-jobs';

const env = loadEnv(AuditorEnv, process.env);
const observability = observabilityOf('auditor', env);
const dispatching = composeStage(env, observability, { limitScope: 'per-shard' });
const { clock, random } = dispatching;
const documents = documentsOf(dynamoClient());

const deps: AuditorDeps = {
  ...dispatching,
  usage: dynamoUsageStore({ documents, clock, random, table: env.JOBS_TABLE }),
  quotaLimits: env.QUOTAS,
};

export const handler = scheduledHandler(z.unknown(), observability, (_, budget) => auditJobs(deps, budget));
