import { SweeperEnv } from '../core/contracts/env';
import { type ProbeRequest, SweepRequest } from '../core/contracts/messages';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { sqsClient } from '../core/platform/clients';
import { sqsHandler } from '../core/platform/sqs-handler';
import { sqsRequestQueue } from '../core/queue/sqs/sqs-request-queue';
import { ProbeBudget } from '../core/domain/probe-budget';
import { sweeperPorts } from './ports';
import type { SweeperDeps } from './recheck';
import { sweepShards } from './sweep-shards';

const env = loadEnv(SweeperEnv, process.env);
const observability = observabilityOf('sweeper', env);
const deps = lambdaDeps('sweeper', env, observability, {
  consoleUrl: env.CONSOLE_URL,
  liveRuns: env.QUOTAS.liveRuns,
  packs: env.PACKS,
});

const budget = new ProbeBudget();
const watchQueue = sqsRequestQueue<ProbeRequest>({ sqs: sqsClient(), ...deps }, env.WATCH_QUEUE_URL);
const probes: SweeperDeps['probes'] = {
  mayProbe: (errand, nowMs) => budget.takeOrder(errand, nowMs),
  order: (request) => watchQueue.send([{ request, delaySec: 0 }]),
};

export const handler = sqsHandler(SweepRequest, observability, (request, limits) =>
  sweepShards(request.shards, { ...deps, ...sweeperPorts, probes }, limits),
);
