import { ask } from '../../support/run-requests';
import { FAILED, type TaskBehaviour, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const RETRIABLE = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' } as const;

test('W11 same-bytes: a task has one body on all attempts of a round, whatever happens between them', async () => {
  const flow = await WorkflowWorld.started();
  const bodies: string[] = [];
  const { observe } = flow.world;
  flow.world.observe = (delivery, target) => {
    observe?.(delivery, target);
    if (flow.lastHeaders['quarterjack-task'] === 'load') bodies.push(delivery.body.toString('utf8'));
  };
  const output = { json: JSON.stringify({ rows: 3, files: ['a'] }) };
  flow.behave.extract = { outcome: 'succeeded', statusCode: 200, body: 'ok', output };
  flow.behave.load = RETRIABLE;
  const input = {
    n: '{{ tasks.extract.output.rows }}',
    file: '{{ tasks.extract.output.files[0] }}',
    at: '{{ tasks.extract.finishedAt }}',
    began: '{{ run.startedAt }}',
    region: '{{ params.region }}',
  };
  const retry = { maxAttempts: 4, initialDelay: '1m', multiplier: 1 };
  const save = (more: object) =>
    flow.save(
      { extract: {}, load: { dependsOn: ['extract'], input, retry, ...more } },
      {},
      { params: { region: 'eu' } },
    );
  await save({});
  const execId = await flow.run({ params: { region: 'us' } });
  await flow.world.run(10 * SECOND_MS);
  await save({ input: { other: 1 } });
  await flow.world.run(MINUTE_MS);
  await ask(flow, 'pauseRun', { execId });
  await flow.world.run(2 * MINUTE_MS);
  await ask(flow, 'resumeRun', { execId });
  delete flow.behave.load;
  await flow.world.run(3 * MINUTE_MS);
  expect(flow.runRow.status).toBe('succeeded');
  expect(bodies.length).toBeGreaterThanOrEqual(3);
  expect(new Set(bodies).size).toBe(1);
  const { finishedAtMs } = flow.taskRows().extract!;
  expect(JSON.parse(bodies[0]!)).toEqual({
    n: 3,
    file: 'a',
    at: new Date(finishedAtMs!).toISOString(),
    began: new Date(flow.runRow.startedAtMs!).toISOString(),
    region: 'us',
  });
});

/** What the statuses of tasks before it may say about a task that never ran. */
const EXPLAINS: Readonly<Record<string, readonly string[]>> = {
  blocked: ['failed', 'cancelled', 'blocked'],
  excluded: ['excluded', 'succeeded', 'skipped'],
};
const ENDED = ['succeeded', 'failed', 'cancelled', 'skipped', 'excluded', 'blocked', 'stopped'];

interface Listed {
  taskId: string;
  status: string;
  reason: string | null;
  because: string[];
  dependsOn: string[];
}

/** The tasks of a run that has ended, each of which has to say what became of it. */
async function ledgerOf(flow: WorkflowWorld, execId: string): Promise<Record<string, string>> {
  const { items } = (await ask(flow, 'listTasks', { execId })).body as unknown as { items: Listed[] };
  const statusOf = new Map(items.map(({ taskId, status }) => [taskId, status]));
  for (const { taskId, status, reason, because, dependsOn } of items) {
    expect(ENDED).toContain(status);
    const explaining = EXPLAINS[status];
    if (explaining) {
      expect([taskId, because.length > 0]).toEqual([taskId, true]);
      for (const one of because) {
        expect(dependsOn).toContain(one);
        expect(explaining).toContain(statusOf.get(one));
      }
    } else expect(because).toEqual([]);
    if (['failed', 'cancelled', 'skipped', 'stopped'].includes(status))
      expect([taskId, reason]).not.toContain(null);
  }
  return Object.fromEntries(statusOf);
}

const NEVER = { value: '{{ run.day }}', equals: 'never' };
const TASKS = {
  a: {},
  bad: {},
  off: { enabled: false },
  unlike: { dependsOn: ['a'], when: NEVER },
  afterUnlike: { dependsOn: ['unlike'] },
  afterBad: { dependsOn: ['bad'] },
  last: { dependsOn: ['afterBad'] },
  afterOff: { dependsOn: ['off'] },
  handler: { dependsOn: [{ task: 'bad', if: 'failed' }] },
  needless: { dependsOn: [{ task: 'a', if: 'failed' }] },
  slow: { dependsOn: ['a'], retry: { maxAttempts: 20, initialDelay: '1m', multiplier: 1 } },
  afterSlow: { dependsOn: ['slow'] },
  tidy: { finally: 'always' },
};

async function started(workflow: object = {}, slow: TaskBehaviour = { workMs: 20 * SECOND_MS }) {
  const flow = await WorkflowWorld.started();
  flow.behave.bad = FAILED;
  flow.behave.slow = slow;
  await flow.save(TASKS, { timeout: '5m' }, workflow);
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  return { flow, execId };
}

describe('W15 ledger: each task of a run that has ended has a status, and names what explains it', () => {
  test('in a run that goes on after a failure', async () => {
    const { flow, execId } = await started();
    await flow.world.run(2 * MINUTE_MS);
    expect(flow.runRow.status).toBe('failed');
    expect(await ledgerOf(flow, execId)).toEqual({
      a: 'succeeded',
      bad: 'failed',
      off: 'skipped',
      unlike: 'excluded',
      afterUnlike: 'excluded',
      afterBad: 'blocked',
      last: 'blocked',
      afterOff: 'succeeded',
      handler: 'succeeded',
      needless: 'excluded',
      slow: 'succeeded',
      afterSlow: 'succeeded',
      tidy: 'succeeded',
    });
  });

  test.each([
    ['that its user cancels', 'cancelled', {}],
    ['that stops at a failure', 'failed', { onTaskFailure: 'stop' }],
    ['whose failure cancels the rest', 'failed', { onTaskFailure: 'cancel' }],
  ])('in a run %s', async (_, status, workflow) => {
    const { flow, execId } = await started(workflow);
    if (status === 'cancelled') await ask(flow, 'cancelExecution', { execId });
    await flow.world.run(3 * MINUTE_MS);
    expect(flow.runRow.status).toBe(status);
    expect(await ledgerOf(flow, execId)).toMatchObject({ bad: 'failed', tidy: 'succeeded' });
  });

  test('in a run whose time is over', async () => {
    const { flow, execId } = await started({}, RETRIABLE);
    await flow.world.run(7 * MINUTE_MS);
    expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'timed-out' });
    const statuses = { slow: 'cancelled', afterSlow: 'blocked', tidy: 'succeeded' };
    expect(await ledgerOf(flow, execId)).toMatchObject(statuses);
  });
});
