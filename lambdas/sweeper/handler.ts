import { SweeperEnv } from '../core/contracts/env';
import { type LookRequest, SweepRequest } from '../core/contracts/messages';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { sqsClient } from '../core/platform/clients';
import { sqsHandler } from '../core/platform/sqs-handler';
import { sqsRequestQueue } from '../core/queue/sqs/sqs-request-queue';
import { LookBudget } from '../core/domain/look-budget';
import { sweeperPorts } from './ports';
import type { SweeperDeps } from './recheck';
import { sweepShards } from './sweep-shards';

const env = loadEnv(SweeperEnv, process.env);
const observability = observabilityOf('sweeper', env);
const deps = lambdaDeps('sweeper', env, observability, {
  consoleUrl: env.CONSOLE_URL,
  liveRuns: env.QUOTAS.liveRuns,
});

const budget = new LookBudget();
const watchQueue = sqsRequestQueue<LookRequest>({ sqs: sqsClient(), ...deps }, env.WATCH_QUEUE_URL);
const looks: SweeperDeps['looks'] = {
  mayLook: (errand, nowMs) => budget.take(errand, nowMs),
  order: (request) => watchQueue.send([{ request, delaySec: 0 }]),
};

export const handler = sqsHandler(SweepRequest, observability, (request, limits) =>
  sweepShards(request.shards, { ...deps, ...sweeperPorts, looks }, limits),
);
