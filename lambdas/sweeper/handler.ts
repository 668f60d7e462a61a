import { SweeperEnv } from '../core/contracts/env';
import { SweepRequest } from '../core/contracts/messages';
import { dispatchDeps } from '../core/runtime/dispatch-deps';
import { instrumentsOf } from '../core/runtime/instruments';
import { eachShard } from '../core/runtime/each-shard';
import { loadEnv } from '../core/runtime/load-env';
import { sqsHandler } from '../core/runtime/sqs-handler';
import { sweepShard } from './sweep-shard';

const env = loadEnv(SweeperEnv, process.env);
const instruments = instrumentsOf('sweeper', env);
const deps = dispatchDeps(env, instruments);

export const handler = sqsHandler(SweepRequest, instruments, async ({ shards }, limits) => {
  await eachShard(shards, deps.clock.nowMs(), async (shard) => {
    const result = await sweepShard(shard, deps, limits);
    if (result.settled > 0) deps.log.info('swept', { ...result });
  });
});
