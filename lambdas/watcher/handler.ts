import { WatcherEnv } from '../core/contracts/env';
import { WatchMessage } from '../core/contracts/messages';
import { assumedRoles } from '../core/delivery/call/assumed-roles';
import { errandProbes } from '../core/delivery/errands/errand-calls';
import { ProbeBudget } from '../core/domain/probe-budget';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { sqsBatchHandler } from '../core/platform/sqs-handler';
import type { WatcherDeps } from './deps';
import { watch } from './watch';

const env = loadEnv(WatcherEnv, process.env);
const observability = observabilityOf('watcher', env);
const composed = lambdaDeps('watcher', env, observability, {
  consoleUrl: env.CONSOLE_URL,
  liveRuns: env.QUOTAS.liveRuns,
});
const deps: WatcherDeps = {
  ...composed,
  errandProbes: errandProbes(assumedRoles(env.TARGET_ROLES, composed)),
  probeBudget: new ProbeBudget(),
};

export const handler = sqsBatchHandler(WatchMessage, observability, (batch) => watch(batch, deps));
