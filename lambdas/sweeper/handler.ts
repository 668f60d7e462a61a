import { SweeperEnv } from '../core/contracts/env';
import { SweepRequest } from '../core/contracts/messages';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { sqsHandler } from '../core/platform/sqs-handler';
import { sweeperPorts } from './ports';
import { sweepShards } from './sweep-shards';

const env = loadEnv(SweeperEnv, process.env);
const observability = observabilityOf('sweeper', env);
const deps = lambdaDeps('sweeper', env, observability, {
  consoleUrl: env.CONSOLE_URL,
  liveRuns: env.QUOTAS.liveRuns,
});

export const handler = sqsHandler(SweepRequest, observability, (request, budget) =>
  sweepShards(request.shards, { ...deps, ...sweeperPorts }, budget),
);
