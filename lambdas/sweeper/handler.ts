import { SweeperEnv } from '../core/contracts/env';
import { SweepRequest } from '../core/contracts/messages';
import { composeStage } from '../core/platform/compose';
import { observabilityOf } from '../core/platform/observability';
import { loadEnv } from '../core/platform/load-env';
import { sqsHandler } from '../core/platform/sqs-handler';
import { sweepShards, type LastSweeps } from './sweep-shards';

const env = loadEnv(SweeperEnv, process.env);
const observability = observabilityOf('sweeper', env);
const deps = composeStage(env, observability, { limitScope: 'per-shard' });

const last: LastSweeps = new Map();

export const handler = sqsHandler(SweepRequest, observability, ({ shards }, limits) =>
  sweepShards(shards, deps, limits, last),
);
