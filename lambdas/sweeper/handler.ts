import { SweeperEnv } from '../core/contracts/env';
import { SweepRequest } from '../core/contracts/messages';
import { dispatchDeps } from '../core/platform/compose';
import { instrumentsOf } from '../core/platform/observability';
import { loadEnv } from '../core/platform/load-env';
import { sqsHandler } from '../core/platform/sqs-handler';
import { sweepShards, type LastSweeps } from './sweep-shards';

const env = loadEnv(SweeperEnv, process.env);
const instruments = instrumentsOf('sweeper', env);
const deps = dispatchDeps(env, instruments, { sender: 'one for each shard' });

const last: LastSweeps = new Map();

export const handler = sqsHandler(SweepRequest, instruments, ({ shards }, limits) =>
  sweepShards(shards, deps, limits, last),
);
