import { ScannerEnv } from '../core/contracts/env';
import { ScanRequest } from '../core/contracts/messages';
import { dispatchDeps } from '../core/runtime/dispatch-deps';
import { instrumentsOf } from '../core/runtime/instruments';
import { eachShard } from '../core/runtime/each-shard';
import { loadEnv } from '../core/runtime/load-env';
import { sqsHandler } from '../core/runtime/sqs-handler';
import { scanShard } from './scan-shard';

const env = loadEnv(ScannerEnv, process.env);
const instruments = instrumentsOf('scanner', env);
const deps = dispatchDeps(env, instruments, { sender: 'one for each shard', isInStep: true });

export const handler = sqsHandler(ScanRequest, instruments, async ({ shards }, limits) => {
  await eachShard(shards, deps.clock.nowMs(), async (shard) => {
    const result = await scanShard(shard, deps, limits);
    if (result.entries > 0 || result.ended !== 'caught-up') deps.log.info('scanned', { ...result });
  });
});
