import { FakeRandom } from '../../support/fake-random';
import type { RunPlan } from '../run-plan';
import type { ClientAction } from '../workload';
import { drawTime, MINUTE_MS, profileOf, withActions } from './draws';
import { killAtWrite } from './write-kills';

/** Above those of all other draws. */
const FIRST_ID = 30_000;
const KILLS = 60;
/** Writes of a run that starts children, of their ends, and of the marks above them. */
const WRITES: Parameters<typeof killAtWrite>[3] = [
  ['executor', ['row', 'row', 'row', 'entry', 'message', 'lock']],
  ['sweeper', ['row', 'message', 'entry']],
  ['api', ['row', 'entry', 'message']],
];
const USER = 'alice';
const LEAVES = ['leaf-1', 'leaf-2'];
const MIDDLES = ['middle-1', 'middle-2'];
const NIGHTLY = 'nightly';
const TOPS = ['top-1', 'top-2', 'top-3'];

const none = { type: 'none' };
const target = { type: 'http', url: 'https://example.com/hook', timeout: '30s' };
const retry = { maxAttempts: 2, initialDelay: '5s', maxDelay: '10s' };
const payloadOf = (jobId: string, stamp: string) => ({ userId: USER, jobId, stamp });

const leaf = (random: FakeRandom, jobId: string) => ({
  jobId,
  schedule: none,
  target,
  retry,
  payload: payloadOf(jobId, 's0'),
  overlap: random.pick(['allow', 'queue', 'queue', 'skip', 'replace']),
});

const callOf = (jobId: string, task: string) => ({ target, input: payloadOf(jobId, task) });

const middle = (random: FakeRandom, jobId: string) => ({
  jobId,
  schedule: none,
  retry,
  timeout: random.pick(['2m', '5m']),
  overlap: random.pick(['allow', 'queue', 'queue', 'replace']),
  workflow: {
    tasks: {
      call: callOf(jobId, 'call'),
      down: { job: random.pick(LEAVES) },
      last: { dependsOn: ['call', 'down'], job: random.pick(LEAVES) },
    },
    onTaskFailure: random.pick(['continue', 'stop', 'cancel']),
    ...(random.fraction() < 0.3 && { maxParallel: 1 }),
  },
});

const top = (random: FakeRandom, jobId: string) => ({
  jobId,
  schedule: { type: 'interval', every: random.pick(['90s', '2m']), maxRuns: random.between(2, 4) },
  retry,
  timeout: random.pick(['2m', '6m']),
  overlap: random.pick(['allow', 'queue', 'replace']),
  workflow: {
    tasks: {
      first: { job: random.pick(MIDDLES) },
      second: { job: random.pick(LEAVES), ...(random.fraction() < 0.3 && { allowFailure: true }) },
      call: { ...callOf(jobId, 'call'), dependsOn: [{ task: 'first', if: 'done' }] },
      ...(random.fraction() < 0.5 && { after: { finally: 'always', job: random.pick(LEAVES) } }),
    },
    onTaskFailure: random.pick(['continue', 'stop', 'cancel']),
  },
});

/** A job with due times of its own. Backfills start its dates meanwhile. */
const nightly = (random: FakeRandom) => ({
  ...leaf(random, NIGHTLY),
  schedule: { type: 'interval', every: random.pick(['45s', '75s']), maxRuns: 8 },
  overlap: random.pick(['skip', 'skip', 'queue', 'replace']),
});

const backfills = (random: FakeRandom, plan: RunPlan): ClientAction[] =>
  [0, 1, 2].map((index) => ({
    id: 3 * FIRST_ID + 10 + index,
    atMs: random.between(2 * MINUTE_MS, plan.quietFromMs),
    action: 'backfill',
    userId: USER,
    jobId: random.pick([NIGHTLY, NIGHTLY, 'middle-1']),
    body: {
      dates: random.between(2, 7),
      parallel: random.between(1, 3),
      onFailure: random.pick(['continue', 'stop']),
      overlap: random.pick(['respect', 'respect', 'ignore']),
    },
  }));

interface Body {
  jobId: string;
  workflow?: { tasks: object };
}

/** Some tasks start their jobs for each item of a list. */
function withItems(random: FakeRandom, body: Body): Body {
  if (!body.workflow) return body;
  const forEach = { items: [1, 2, 3], concurrency: random.between(1, 2), tolerate: random.between(0, 2) };
  const tasks = Object.entries(body.workflow.tasks).map(([id, task]: [string, object]) => [
    id,
    'job' in task && random.fraction() < 0.3 ? { ...task, forEach } : task,
  ]);
  return { ...body, workflow: { ...body.workflow, tasks: Object.fromEntries(tasks) as object } };
}

/** Some tasks start their jobs later than they are ready, or let them take a minute. */
function withTimes(random: FakeRandom, body: Body): Body {
  if (!body.workflow) return body;
  const tasks = Object.entries(body.workflow.tasks).map(([id, task]: [string, object]) => {
    const isChild = 'job' in task;
    return [
      id,
      {
        ...task,
        ...(isChild && random.fraction() < 0.3 && drawTime(random)),
        ...(isChild && random.fraction() < 0.25 && { timeout: '1m' }),
      },
    ];
  });
  return { ...body, workflow: { ...body.workflow, tasks: Object.fromEntries(tasks) as object } };
}

/** Created early, and again where that came too early or got no answer: a job after those that it starts. */
const family = (random: FakeRandom, apart: FakeRandom, times: FakeRandom): ClientAction[] => {
  const bodies = [
    ...LEAVES.map((jobId) => leaf(random, jobId)),
    ...MIDDLES.map((jobId) => middle(random, jobId)),
    ...TOPS.map((jobId) => top(random, jobId)),
  ].map((body: Body) => withTimes(times, withItems(apart, body)));
  const nightlyBody = nightly(apart);
  return [...bodies, nightlyBody].flatMap((body, index) =>
    [30_000, 75_000].map((atMs, again) => ({
      id: FIRST_ID + 2 * index + again,
      atMs: atMs + 2_000 * index,
      action: 'put' as const,
      userId: USER,
      jobId: body.jobId,
      body: { ...body },
    })),
  );
};

/** No pauses: a run that is never resumed holds its job's overlap lock for ever. */
const ON_RUNS = ['skip', 'skip', 'reopen', 'reopen', 'cancel', 'retry', 'retry'] as const;

function further(random: FakeRandom, plan: RunPlan): ClientAction[] {
  const jobs = [...TOPS, ...TOPS, ...MIDDLES, ...LEAVES];
  return Array.from({ length: 90 }, (_, index) => {
    const isRun = random.fraction() < 0.35;
    return {
      id: 2 * FIRST_ID + index,
      atMs: random.between(2 * MINUTE_MS, plan.quietFromMs),
      action: isRun ? ('run' as const) : random.pick(ON_RUNS),
      userId: USER,
      jobId: random.pick(isRun ? TOPS : jobs),
      body: {},
    };
  });
}

/** Items, backfills and times are drawn apart, so that no other draw changes. */
function actionsOf(random: FakeRandom, plan: RunPlan): ClientAction[] {
  const apart = new FakeRandom(FIRST_ID + plan.seed);
  const times = new FakeRandom(4 * FIRST_ID + plan.seed);
  return [...family(random, apart, times), ...further(random, plan), ...backfills(apart, plan)];
}

/** Jobs that start jobs that start jobs, while processes die around every write and messages get lost. */
export const children = profileOf(
  ({ random, plan, window, freezes, kills }) => ({
    faults: [
      window('target-fails', 0.15),
      window('target-refuses', 0.1),
      window('target-slow', 0.1),
      window('queue-lost', 0.08),
      window('queue-duplicated', 0.15),
      window('queue-delayed', 0.1),
      window('store-answer-lost', 0.03, { table: 'executions' }),
      ...freezes(8, 'executor', 18),
      ...kills(10, 'executor', 22),
      ...kills(4, 'sweeper', 25),
      ...kills(4, 'api', 10),
      ...Array.from({ length: KILLS }, (_, index) => killAtWrite(random, 1_000 + index, plan.healMs, WRITES)),
    ],
    actions: withActions({ ...plan, actions: [] }, actionsOf(random, plan)),
  }),
  { lastsMs: 8 * MINUTE_MS },
);
