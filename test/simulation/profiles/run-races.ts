import { FakeRandom } from '../../support/fake-random';
import type { NodeFault, Stage } from '../faults';
import type { RunPlan } from '../run-plan';
import { type Action, ASKED_TASKS, type ClientAction } from '../workload';
import { MINUTE_MS, profileOf, withActions } from './draws';

/** Above those of all other draws. */
const FIRST_ID = 30_000;
const USER = 'alice';
const JOBS = ['race-1', 'race-2', 'race-3'];
const LASTS_MS = 5 * MINUTE_MS;
const RUNS_OF_A_JOB = 14;
const REQUESTS = 260;
const CANCELLED_TASKS = 40;
const MOST_TASKS = 5;
const SHORT_FREEZES_MS = [1_000, 3_000, 8_000, 15_000];

const callOf = (jobId: string, task: string) => ({
  target: { type: 'http', url: 'https://example.com/hook', timeout: '30s' },
  input: { userId: USER, jobId, stamp: task },
});

/** A small graph: most tasks start together or after one other task, so that their ends fall together. */
function drawTasks(random: FakeRandom, jobId: string): Record<string, object> {
  const count = random.between(3, MOST_TASKS);
  const ids = Array.from({ length: count }, (_, index) => `t${index}`);
  const tasks = ids.map((id, index) => {
    const isLast = index === count - 1;
    if (isLast && random.fraction() < 0.35)
      return [id, { ...callOf(jobId, id), finally: random.pick(['always', 'failed', 'succeeded']) }];
    const dependsOn = ids
      .slice(0, index)
      .filter(() => random.fraction() < 0.9 / index)
      .map((task) => ({ task, if: random.pick(['succeeded', 'succeeded', 'failed', 'done']) }));
    const join = random.pick(['all', 'all', 'any']);
    return [id, { ...callOf(jobId, id), dependsOn, join, ...(random.fraction() < 0.1 && { delay: '2s' }) }];
  });
  return Object.fromEntries(tasks) as Record<string, object>;
}

const drawJob = (random: FakeRandom, jobId: string) => ({
  schedule: { type: 'none' },
  workflow: {
    tasks: drawTasks(random, jobId),
    onTaskFailure: random.pick(['continue', 'continue', 'stop', 'cancel']),
    ...(random.fraction() < 0.2 && { maxParallel: 2 }),
  },
  timeout: random.pick(['1m', '3m']),
  retry: { maxAttempts: random.between(1, 3), initialDelay: '1s', maxDelay: '2s' },
  overlap: random.pick(['allow', 'allow', 'allow', 'replace']),
});

/** What users ask of runs under way. Each pause is followed by resumptions, or the run would never end. */
const ASKED: readonly Action[] = [
  ...Array.from({ length: 4 }, () => 'skip' as const),
  ...Array.from({ length: 8 }, () => 'reopen' as const),
  ...Array.from({ length: 2 }, () => 'pause-run' as const),
  ...Array.from({ length: 4 }, () => 'resume-run' as const),
  'cancel',
];

/** Users cancel single tasks. Drawn apart, so that no other draw changes. */
function cancelledTasks({ seed, quietFromMs }: RunPlan): ClientAction[] {
  const random = new FakeRandom(4 * FIRST_ID + seed);
  return Array.from({ length: CANCELLED_TASKS }, (_, request): ClientAction => {
    const id = 4 * FIRST_ID + ASKED_TASKS * request + random.between(0, MOST_TASKS - 1);
    const atMs = random.between(MINUTE_MS, quietFromMs);
    return { id, atMs, action: 'cancel-task', userId: USER, jobId: random.pick(JOBS), body: {} };
  });
}

function drawActions(random: FakeRandom, plan: RunPlan): ClientAction[] {
  const { quietFromMs } = plan;
  const at = () => random.between(MINUTE_MS, quietFromMs);
  const saved = JOBS.flatMap((jobId, index) => {
    const body = drawJob(random, jobId);
    return [30_000, 45_000].map((atMs, again): ClientAction => {
      const id = FIRST_ID + 2 * index + again;
      return { id, atMs, action: 'put', userId: USER, jobId, body: { ...body } };
    });
  });
  const started = JOBS.flatMap((jobId, index) =>
    Array.from({ length: RUNS_OF_A_JOB }, (_, run): ClientAction => {
      const id = 2 * FIRST_ID + RUNS_OF_A_JOB * index + run;
      return { id, atMs: at(), action: 'run', userId: USER, jobId, body: {} };
    }),
  );
  const asked = Array.from({ length: REQUESTS }, (_, request): ClientAction => {
    const id = 3 * FIRST_ID + ASKED_TASKS * request + random.between(0, MOST_TASKS - 1);
    return { id, atMs: at(), action: random.pick(ASKED), userId: USER, jobId: random.pick(JOBS), body: {} };
  });
  return [...saved, ...started, ...asked, ...cancelledTasks(plan)];
}

/** No other process takes over so soon: a node acts, after its freeze, on what it has read before. */
const shortFreezes = (random: FakeRandom, { healMs }: RunPlan, count: number, stage: Stage): NodeFault[] =>
  Array.from({ length: count }, (_, index) => ({
    id: 500 + index,
    kind: 'freeze',
    fromMs: random.between(MINUTE_MS, healMs),
    stage,
    afterAwaits: random.between(1, stage === 'api' ? 12 : 24),
    forMs: random.pick(SHORT_FREEZES_MS),
    to: 0,
  }));

/**
 * Users change runs while these move by themselves. A task ends as another one is skipped. A run ends as a
 * task of it is opened again. A message comes as its run is paused. Each stage is slow between what it has
 * read and what it writes.
 */
export const runRaces = profileOf(
  ({ random, plan, window, kills }) => ({
    faults: [
      window('target-fails', 0.15),
      window('target-refuses', 0.25),
      window('target-slow', 0.1),
      window('queue-lost', 0.05),
      window('queue-duplicated', 0.15),
      window('queue-delayed', 0.05),
      window('store-slow', 0.25, { stage: 'executor', table: 'executions' }),
      window('store-slow', 0.25, { stage: 'sweeper', table: 'executions' }),
      window('store-slow', 0.15, { stage: 'api' }),
      ...shortFreezes(random, plan, 15, 'executor'),
      ...shortFreezes(random, plan, 10, 'api'),
      ...shortFreezes(random, plan, 5, 'sweeper'),
      ...kills(8, 'executor', 18),
      ...kills(4, 'api', 12),
    ],
    actions: withActions({ ...plan, actions: [] }, drawActions(random, plan)),
  }),
  { lastsMs: LASTS_MS },
);
