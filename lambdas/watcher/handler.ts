import { WatcherEnv } from '../core/contracts/env';
import { WatchMessage } from '../core/contracts/messages';
import { assumedRoles } from '../core/delivery/call/assumed-roles';
import { errandLooks } from '../core/delivery/errands/errand-calls';
import { LookBudget } from '../core/domain/look-budget';
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
  errandLooks: errandLooks(assumedRoles(env.TARGET_ROLES, composed)),
  lookBudget: new LookBudget(),
};

export const handler = sqsBatchHandler(WatchMessage, observability, (batch) => watch(batch, deps));
