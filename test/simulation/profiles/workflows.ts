import { FakeRandom } from '../../support/fake-random';
import type { RunPlan } from '../run-plan';
import type { ClientAction } from '../workload';
import { drawTime, MINUTE_MS, profileOf, withActions, withEachJob } from './draws';
import { killAtWrite } from './write-kills';

const KILLS = 60;
/** Above the ids of all actions. */
const LATER = 3_000_000;
/** Writes of a run in one stage: its start, its tasks, their marks, its end, and what they need. */
const WRITES: Parameters<typeof killAtWrite>[3] = [
  ['executor', ['row', 'row', 'row', 'message', 'entry', 'lock']],
  ['executor', ['row', 'row', 'row', 'message']],
  ['sweeper', ['row', 'message', 'entry']],
  ['api', ['row', 'entry', 'message']],
];

const targetOf = (random: FakeRandom) => ({
  type: 'http',
  url: 'https://example.com/hook',
  timeout: '30s',
  ...(random.fraction() < 0.25 && { mode: 'async', heartbeatTimeout: random.pick(['20s', '40s']) }),
});

type Job = Pick<ClientAction, 'userId' | 'jobId'>;

const SWITCH_BRANCHES = ['ok', 'other'];

/** A switch on the end of a task before it, or on a parameter. */
const drawSwitch = (dependsOn: readonly { task: string }[]) => ({
  on: dependsOn[0] ? `{{ tasks.${dependsOn[0].task}.status }}` : '{{ params.full }}',
  cases: [{ branch: 'ok', in: ['succeeded', true] }],
  default: 'other',
});

/** A graph of 2 to 8 tasks: some without work, some switches, some after all others. */
function drawWorkflow(random: FakeRandom, { userId, jobId }: Job) {
  const count = random.between(2, 8);
  const tasks: Record<string, Record<string, unknown>> = {};
  const switches = new Set<string>();
  for (let index = 0; index < count; index++) {
    const dependencies = drawDependencies(random, index, switches);
    if (random.fraction() < 0.12) {
      const { dependsOn } = dependencies;
      tasks[`t${index}`] = { dependsOn, switch: drawSwitch(dependsOn) };
      switches.add(`t${index}`);
      continue;
    }
    if (random.fraction() < 0.08) {
      const approval = { timeout: '1m', onTimeout: random.pick(['fail', 'approve']) };
      tasks[`t${index}`] = { ...dependencies, approval };
      continue;
    }
    const isLast = index > 0 && index === count - 1;
    const work = random.fraction() < 0.88 && {
      target: targetOf(random),
      input: { userId, jobId, stamp: `t${index}` },
      ...(random.fraction() < 0.2 && { priority: random.pick(['high', 'low']) }),
    };
    const common = {
      ...work,
      ...(random.fraction() < 0.15 && { allowFailure: true }),
      ...(random.fraction() < 0.05 && { enabled: false }),
      ...(random.fraction() < 0.15 && { when: { value: '{{ params.full }}', equals: true } }),
      ...(random.fraction() < 0.05 && { when: { value: '{{ params.missing.value }}', equals: true } }),
    };
    tasks[`t${index}`] =
      isLast && random.fraction() < 0.4
        ? { ...common, finally: random.pick(['always', 'failed', 'succeeded']) }
        : { ...common, ...dependencies };
  }
  return {
    params: { full: random.fraction() < 0.6, missing: {}, list: ['a', 'b', 'c', 'd'] },
    tasks,
    onTaskFailure: random.pick(['continue', 'continue', 'stop', 'cancel']),
    ...(random.fraction() < 0.3 && { maxParallel: random.between(1, 3) }),
  };
}

function drawDependencies(random: FakeRandom, index: number, switches: ReadonlySet<string>) {
  const dependsOn = Array.from({ length: index }, (_, upstream) => upstream)
    .filter(() => random.fraction() < Math.min(0.9, 1.6 / index))
    .map((upstream) => {
      const task = `t${upstream}`;
      if (switches.has(task)) return { task, branch: random.pick(SWITCH_BRANCHES) };
      return { task, if: random.pick(['succeeded', 'succeeded', 'succeeded', 'failed', 'done']) };
    });
  return { dependsOn, join: random.pick(['all', 'all', 'all', 'any']) };
}

/** One task of some workflows waits before it is called. Drawn apart, so that no other draw changes. */
function withDelay(random: FakeRandom, workflow: ReturnType<typeof drawWorkflow>) {
  const called = Object.entries(workflow.tasks).filter(([, { target }]) => target !== undefined);
  if (called.length === 0 || random.fraction() > 0.4) return workflow;
  const [id, task] = random.pick(called);
  const delay = random.pick(['2s', '15s', '40s']);
  return { ...workflow, tasks: { ...workflow.tasks, [id]: { ...task, delay } } };
}

const MOST_TASKS = 8;

/** Some workflows have one more task, which waits for another job. */
function withAwait(random: FakeRandom, workflow: Pick<ReturnType<typeof drawWorkflow>, 'tasks'>) {
  const count = Object.keys(workflow.tasks).length;
  if (count === MOST_TASKS || random.fraction() > 0.3) return workflow;
  const awaits = {
    job: `job-${random.between(0, 4)}`,
    window: random.pick(['same-hour', 'previous-hour', 'same-day']),
    need: random.pick(['all', 'last', 'any', 'any']),
    onFailure: random.pick(['wait', 'fail']),
    checkEvery: '20s',
    timeout: '1m',
  };
  return { ...workflow, tasks: { ...workflow.tasks, [`t${count}`]: { await: awaits } } };
}

/** A list of 0 to 6 items, by a literal or by a parameter. */
const drawForEach = (random: FakeRandom) => ({
  items: random.fraction() < 0.3 ? '{{ params.list }}' : numbers(random.between(0, 6)),
  ...(random.fraction() < 0.7 && { concurrency: random.between(1, 3) }),
  ...(random.fraction() < 0.5 && { tolerate: random.pick([1, 2, '50%']) }),
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Some tasks call their targets for each item of a list, and some runs have an output. Drawn apart too. */
function withFanOuts(random: FakeRandom, workflow: Record<string, unknown>): Record<string, unknown> {
  const tasks = workflow.tasks as Record<string, Record<string, unknown>>;
  const drawn = Object.entries(tasks).map(([id, task]) => {
    const mayFanOut = task.target !== undefined && task.delay === undefined;
    return [id, mayFanOut && random.fraction() < 0.25 ? { ...task, forEach: drawForEach(random) } : task];
  });
  const output = { status: '{{ run.status }}', failed: '{{ run.failedTasks }}' };
  return {
    ...workflow,
    tasks: Object.fromEntries(drawn) as unknown,
    ...(random.fraction() < 0.3 && { output }),
  };
}

/** Some fan-outs begin later than they are ready. Drawn apart too. */
function withLaterItems(random: FakeRandom, workflow: Record<string, unknown>): Record<string, unknown> {
  const tasks = workflow.tasks as Record<string, Record<string, unknown>>;
  const drawn = Object.entries(tasks).map(([id, task]) => [
    id,
    task.forEach !== undefined && random.fraction() < 0.35 ? { ...task, ...drawTime(random) } : task,
  ]);
  return { ...workflow, tasks: Object.fromEntries(drawn) as unknown };
}

const workflowJob = (random: FakeRandom, job: Job) => ({
  workflow: drawWorkflow(random, job),
  timeout: random.pick(['1m', '3m', '10m']),
  retry: { maxAttempts: random.between(1, 3), initialDelay: random.pick(['1s', '5s']), maxDelay: '10s' },
  schedule: { type: 'interval', every: random.pick(['90s', '2m', '4m']), maxRuns: random.between(2, 5) },
  overlap: random.pick(['allow', 'allow', 'skip', 'queue', 'replace']),
  orderingKey: random.pick([null, null, null, 'key-1']),
});

/** Every definition of a plan's jobs has a workflow. Policies on overlap stay for a job's whole life. */
function withWorkflows(random: FakeRandom, plan: RunPlan): ClientAction[] {
  const gated = withEachJob(plan, () => ({
    overlap: random.pick(['allow', 'allow', 'skip', 'queue', 'replace']),
    orderingKey: random.pick([null, null, null, 'key-1']),
  })).filter(({ userId }) => userId !== 'carol');
  return gated.map((action) => {
    if (action.action === 'run' || action.action === 'retry') return withoutPayload(action);
    if (action.action === 'patch')
      return {
        ...action,
        body: { workflow: { onTaskFailure: random.pick(['continue', 'stop', 'cancel']) } },
      };
    if (action.action !== 'create' && action.action !== 'put') return action;
    const { overlap, orderingKey, jobId, misfire } = action.body!;
    const job = { ...workflowJob(random, action), overlap, orderingKey, misfire };
    const apart = new FakeRandom(action.id);
    const fanOuts = withFanOuts(apart, withAwait(apart, withDelay(apart, job.workflow)));
    const body = { ...job, workflow: withLaterItems(new FakeRandom(LATER * plan.seed + action.id), fanOuts) };
    return { ...action, body: jobId === undefined ? body : { ...body, jobId } };
  });
}

/** A run takes no payload, and the other actions on runs need no body. */
const withoutPayload = (action: ClientAction): ClientAction => ({ ...action, body: {} });

/** Jobs with workflows, while processes die around every write of a run and messages get lost and doubled. */
export const workflows = profileOf(
  ({ random, plan, window, freezes, kills, actions }) => {
    const jobs = withWorkflows(random, plan);
    const further = actions(['run', 'run', 'run', 'cancel', 'cancel', 'delete', 'pause', 'resume'], 40);
    const onRuns = actions(
      [
        'pause-run',
        'resume-run',
        'resume-run',
        'resume-run',
        'skip',
        'approve',
        'reject',
        'reopen',
        'retry',
        'retry',
      ],
      60,
    );
    return {
      faults: [
        window('target-fails', 0.15),
        window('target-refuses', 0.1),
        window('target-hangs', 0.03),
        window('target-slow', 0.1),
        window('queue-lost', 0.08),
        window('queue-duplicated', 0.15),
        window('queue-delayed', 0.1),
        window('store-answer-lost', 0.03, { table: 'executions' }),
        window('store-slow', 0.05),
        ...freezes(8, 'executor', 14),
        ...kills(10, 'executor', 18),
        ...kills(4, 'sweeper', 25),
        ...kills(4, 'api', 10),
        ...Array.from({ length: KILLS }, (_, index) =>
          killAtWrite(random, 1_000 + index, plan.healMs, WRITES),
        ),
      ],
      actions: withActions({ ...plan, actions: jobs }, [...further, ...onRuns].map(withoutPayload)),
    };
  },
  { lastsMs: 8 * MINUTE_MS },
);
