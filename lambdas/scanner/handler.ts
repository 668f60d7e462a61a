import { ScannerEnv } from '../core/contracts/env';
import { ScanRequest } from '../core/contracts/messages';
import { dispatchDeps } from '../core/platform/compose';
import { instrumentsOf } from '../core/platform/observability';
import { loadEnv } from '../core/platform/load-env';
import { sqsHandler } from '../core/platform/sqs-handler';
import { scanShards } from './scan-shards';

const env = loadEnv(ScannerEnv, process.env);
const instruments = instrumentsOf('scanner', env);
const deps = dispatchDeps(env, instruments, { sender: 'one for each shard', isInStep: true });

export const handler = sqsHandler(ScanRequest, instruments, ({ shards }, limits) =>
  scanShards(shards, deps, limits),
);
