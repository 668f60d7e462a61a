import { ScannerEnv } from '../core/contracts/env';
import { ScanRequest } from '../core/contracts/messages';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { sqsHandler } from '../core/platform/sqs-handler';
import { scanShards } from './scan-shards';

const env = loadEnv(ScannerEnv, process.env);
const observability = observabilityOf('scanner', env);
const deps = lambdaDeps('scanner', env, observability, { leadMs: env.LEAD_MS });

export const handler = sqsHandler(ScanRequest, observability, ({ shards }, budget) =>
  scanShards(shards, deps, budget),
);
