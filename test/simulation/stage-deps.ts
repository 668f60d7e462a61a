import type { ApiDeps } from '../../lambdas/api/request';
import { HORIZON } from '../../lambdas/core/contracts/horizon';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import { taskExecId } from '../../lambdas/core/domain/workflow/task-id';
import type { Composition } from '../../lambdas/core/platform/compose';
import type { SendingStage } from '../../lambdas/core/queue/pipeline';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import type { FakeClock } from '../support/fake-clock';
import { withIncidents } from '../support/incident-calls';
import { laneLimitDeps } from '../support/lane-limits';
import { noQuotas } from '../support/no-quotas';
import type { RecordingLog } from '../support/recording-log';
import type { RecordingMeter } from '../support/recording-meter';
import { apiSurroundings, executorSurroundings } from '../support/surroundings';
import type { SharedParts } from './environments';
import { retentionDaysOf } from './expiry';
import type { EventLog } from './log';
import type { SimNode } from './node';
import type { TickSchedule } from './operators';
import { poolsOf, type RunPlan } from './run-plan';
import { startErrand } from '../../lambdas/executor/start-errand';
import type { SimErrands } from './sim-errands';
import type { SimTargets } from './sim-target';

export interface StageWorld {
  plan: RunPlan;
  time: FakeClock;
  log: EventLog;
  lines: RecordingLog;
  meter: RecordingMeter;
  targets: SimTargets;
  errands: SimErrands;
  tickSchedule: TickSchedule;
}

/** Settings as the template has them: the API alone may run before the first tick. Events go into the log. */
export function sharedPartsOf(
  stage: SendingStage,
  { plan, log, lines, meter }: StageWorld,
  environment: number,
): SharedParts {
  const { userSharePerSec, shards, expiry, packs = [] } = plan;
  return {
    packs: packs[environment % packs.length],
    events: {
      put: ({ type, detail }) => {
        if (!('status' in detail)) return; // nothing has ended
        const { userId, jobId, execId: run, task, status, fence } = detail;
        const execId = task ? taskExecId({ run, task: task.taskId, round: task.round }) : run;
        log.add({ src: 'event', type, jobKey: jobKeyOf({ userId, jobId }), execId, status, fence });
      },
    },
    log: lines,
    meter,
    settings: {
      userLimitsPerSec:
        userSharePerSec === undefined
          ? {}
          : Object.fromEntries(poolsOf(plan).map((pool) => [pool, userSharePerSec])),
      lifecycleEvents: 'all',
      consoleUrl: 'https://api.test/console',
      retentionDays: expiry ? retentionDaysOf(expiry) : 30,
      horizonMs: HORIZON.usualSec * 1_000,
      shardCount: stage === 'api' ? shards : undefined,
    },
  };
}

/** What a node of any stage works with. */
export const depsOf = (
  node: SimNode,
  composed: Composition,
  { plan, time, log, targets, errands, tickSchedule }: StageWorld,
): ExecutorDeps & ApiDeps => ({
  ...composed,
  ...apiSurroundings,
  settings: { ...apiSurroundings.settings, pools: poolsOf(plan) },
  ...laneLimitDeps(composed, plan.userSharePerSec === undefined ? undefined : 1),
  quotas: {
    ...noQuotas.quotas,
    charge: async (project, { jobs }) => {
      if (jobs > 0) log.add({ src: 'quota', type: 'charged', project, jobs });
    },
  },
  tickSwitch: tickSchedule.switchOf(node),
  traceHeaders: executorSurroundings.traceHeaders,
  secretUrl: async () => undefined,
  signingSecrets: async (userId, host) => {
    await time.sleep(node.random.fraction() * 5);
    await node.gate();
    return executorSurroundings.signingSecrets(userId, host);
  },
  logLimits: executorSurroundings.logLimits,
  reportBy: executorSurroundings.reportBy,
  call: withIncidents(targets.from(node), composed),
  errandStarts: errands.startsOf(node),
  startErrand,
});
