import { ScannerEnv } from '../core/contracts/env';
import { ScanRequest } from '../core/contracts/messages';
import { composeStage } from '../core/platform/compose';
import { observabilityOf } from '../core/platform/observability';
import { loadEnv } from '../core/platform/load-env';
import { sqsHandler } from '../core/platform/sqs-handler';
import { scanShards } from './scan-shards';

const env = loadEnv(ScannerEnv, process.env);
const observability = observabilityOf('scanner', env);
const deps = composeStage(env, observability, { limitScope: 'per-shard', isPhaseAligned: true });

export const handler = sqsHandler(ScanRequest, observability, ({ shards }, limits) =>
  scanShards(shards, deps, limits),
);
