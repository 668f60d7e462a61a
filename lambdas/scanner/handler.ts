import { LocalScannerEnv } from '../core/contracts/local-env';
import { ScanRequest } from '../core/contracts/messages';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { sqsHandler } from '../core/platform/sqs-handler';
import { scanAgain } from './scan-again';
import { scanShards } from './scan-shards';

const env = loadEnv(LocalScannerEnv, process.env);
const observability = observabilityOf('scanner', env);
const deps = lambdaDeps('scanner', env, observability, { leadMs: env.LEAD_MS, packs: env.PACKS });

export const handler = sqsHandler(ScanRequest, observability, async ({ shards }, budget) => {
  if (env.QUEUES_SINCE_MS !== undefined) await scanAgain(shards, env.QUEUES_SINCE_MS, deps, budget);
  return scanShards(shards, deps, budget);
});
