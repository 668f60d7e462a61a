import type { FakeRandom } from '../../../support/fake-random';
import { drawTime } from '../draws';
import { type Body, given, maybe } from './drawn';
import { drawRetry } from './draw-retry';
import { drawTargets, OTHER_POOL } from './draw-target';
import { TENANTS } from './draw-tenant';

/** What a job of a workflow knows of the others. */
export interface Family {
  userId: string;
  jobId: string;
  /** Jobs that it may start, and whether each of them has a workflow, as far as it was drawn. */
  below: readonly { jobId: string; hasWorkflow: boolean }[];
  /** Jobs that it may wait for. */
  others: readonly string[];
}

const KINDS = [
  ...['call', 'call', 'call', 'call', 'child', 'child', 'child', 'child'],
  ...['switch', 'switch', 'approval', 'approval', 'approval', 'approval', 'await', 'await', 'join'],
] as readonly ('call' | 'child' | 'switch' | 'approval' | 'await' | 'join')[];
const BRANCHES = ['ok', 'other'];
const PARAMS = { full: true, count: 3, list: ['a', 'b', 'c'] };
const WINDOWS = [
  'same-hour',
  'previous-hour',
  'same-day',
  'previous-day',
  'same-week',
  'previous-week',
  'same-month',
  'previous-month',
  { from: "{{ run.dueAt | shift('-5m') }}", to: '{{ run.dueAt }}' },
];

const comparisonOf = (random: FakeRandom): Body =>
  random.pick<Body>([
    { value: '{{ params.full }}', equals: true },
    { value: '{{ params.full }}', notEquals: true },
    { value: '{{ params.count }}', in: [2, 3] },
    { value: '{{ params.count }}', gt: 2 },
    { value: '{{ params.count }}', gte: 4 },
    { value: '{{ params.count }}', lt: 4 },
    { value: '{{ params.count }}', lte: 2 },
    { value: '{{ params.full }}', exists: true },
  ]);

const drawCondition = (random: FakeRandom): Body => {
  const some = () => Array.from({ length: 2 }, () => comparisonOf(random));
  return random.pick<() => Body>([
    () => comparisonOf(random),
    () => comparisonOf(random),
    () => ({ all: some() }),
    () => ({ any: some() }),
  ])();
};

function drawSwitch(random: FakeRandom): Body {
  const { value, ...compared } = comparisonOf(random);
  return { on: value, cases: [{ branch: 'ok', ...compared }], default: 'other' };
}

const drawForEach = (random: FakeRandom): Body =>
  given({
    items: random.fraction() < 0.4 ? '{{ params.list }}' : [1, 2, 3].slice(0, random.between(0, 3)),
    concurrency: maybe(random, 0.6, () => random.between(1, 2)),
    tolerate: maybe(random, 0.5, () => random.pick([1, '50%'])),
  });

function drawDependencies(
  random: FakeRandom,
  before: readonly string[],
  switches: ReadonlySet<string>,
): Body {
  const dependsOn = before
    .filter((task) => random.fraction() < (switches.has(task) ? 0.75 : Math.min(0.5, 1 / before.length)))
    .map((task) => {
      if (switches.has(task)) return { task, branch: random.pick(BRANCHES) };
      if (random.fraction() < 0.3) return task;
      return { task, if: random.pick(['succeeded', 'succeeded', 'failed', 'done']) };
    });
  return given({
    dependsOn: dependsOn.length > 0 ? dependsOn : undefined,
    join: maybe(random, 0.25, () => 'any'),
  });
}

/** The start of another job. Only one with a workflow takes parameters. */
function drawChild(random: FakeRandom, input: Body & { jobId: string }, below: Family['below']): Body {
  const flows = below.filter(({ hasWorkflow }) => hasWorkflow);
  const child = random.pick(flows.length > 0 && random.fraction() < 0.6 ? flows : below);
  return given({
    job: child.jobId,
    params: maybe(random, child.hasWorkflow ? 0.95 : 0, () => ({ count: 4 })),
    input: maybe(random, child.hasWorkflow ? 0 : 0.6, () => ({ ...input, jobId: child.jobId })),
    timeout: maybe(random, 0.3, () => random.pick(['1m', '3m'])),
    keepOutput: maybe(random, 0.2, () => true),
    forEach: maybe(random, 0.25, () => drawForEach(random)),
  });
}

/** What a task does. Tasks that wait by themselves take no time of their own. */
function drawWork(random: FakeRandom, id: string, family: Family): { work: Body; mayWait: boolean } {
  const { userId, jobId, below, others } = family;
  const isPossible = (kind: string) =>
    (kind !== 'child' || below.length > 0) && (kind !== 'await' || others.length > 0);
  const kind = random.pick(KINDS.filter(isPossible));
  const input = { userId, jobId, stamp: id, tenant: TENANTS[0] };
  switch (kind) {
    case 'call': {
      const targets = drawTargets(random);
      const work = {
        ...targets,
        input: maybe(random, 0.8, () => ({ ...input, day: '{{ run.day }}' })),
        retry: maybe(random, 0.3, () => drawRetry(random, isHttp(targets))),
        timeout: maybe(random, 0.3, () => random.pick(['30s', '2m'])),
        priority: maybe(random, 0.3, () => random.pick(['highest', 'high', 'medium', 'low', 'lowest'])),
        pool: maybe(random, 0.2, () => OTHER_POOL),
        keepOutput: maybe(random, 'target' in targets ? 0.3 : 0, () => true),
        forEach: maybe(random, 0.25, () => drawForEach(random)),
      };
      return { work: given(work), mayWait: true };
    }
    case 'child':
      return { work: drawChild(random, input, below), mayWait: true };
    case 'switch':
      return { work: { switch: drawSwitch(random) }, mayWait: false };
    case 'approval': {
      // Always with a limit within the run: users do not decide on each.
      const approval = given({
        timeout: random.pick(['1m', '2m']),
        onTimeout: maybe(random, 0.5, () => 'approve'),
        note: maybe(random, 0.4, () => 'Is {{ run.day }} complete?'),
        notBy: maybe(random, 0.6, () => random.pick(['starter', 'editor'])),
      });
      return { work: { approval }, mayWait: false };
    }
    case 'await': {
      const awaits = given({
        job: random.pick(others),
        window: random.pick(WINDOWS),
        need: maybe(random, 0.7, () => random.pick(['last', 'any'])),
        onFailure: maybe(random, 0.5, () => 'fail'),
        checkEvery: maybe(random, 0.6, () => '20s'),
        timeout: random.pick(['1m', '2m']),
      });
      return { work: { await: awaits }, mayWait: false };
    }
    case 'join':
      return { work: {}, mayWait: true };
  }
}

const isHttp = (targets: ReturnType<typeof drawTargets>): boolean =>
  ('targets' in targets ? targets.targets : [targets.target]).some(({ type }) => type === 'http');

/** A workflow of 1 to 6 tasks. Users can open an ended one again while another waits. */
export function drawWorkflow(random: FakeRandom, family: Family): Body {
  const count = random.between(1, 6);
  const tasks: Record<string, Body> = {};
  const switches = new Set<string>();
  const before: string[] = [];
  for (let index = 0; index < count; index++) {
    const id = `t${index}`;
    const { work, mayWait } = drawWork(random, id, family);
    const isLast = index > 0 && index >= count - 2;
    const order =
      isLast && random.fraction() < 0.5
        ? { finally: random.pick(['always', 'failed', 'succeeded']) }
        : drawDependencies(random, before, switches);
    tasks[id] = given({
      ...order,
      ...work,
      name: maybe(random, 0.15, () => `Task ${index}`),
      note: maybe(random, 0.15, () => 'a note'),
      allowFailure: maybe(random, 0.2, () => true),
      enabled: maybe(random, work.switch ? 0 : 0.1, () => false),
      when: maybe(random, 0.2, () => drawCondition(random)),
      ...(mayWait && random.fraction() < 0.35 && drawTime(random)),
    });
    if (work.switch) switches.add(id);
    if (order.finally === undefined) before.push(id);
  }
  return given({
    params: PARAMS,
    tasks,
    onTaskFailure: maybe(random, 0.6, () => random.pick(['stop', 'cancel'])),
    output: maybe(random, 0.3, () => ({ status: '{{ run.status }}' })),
    maxParallel: maybe(random, 0.3, () => random.between(1, 2)),
  });
}
