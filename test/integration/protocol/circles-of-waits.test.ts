import type { Execution } from '../../../lambdas/core/domain/execution';
import { childrenOf, PLAIN, put, TARGET, workflow } from '../../support/child-world';
import { T0_MS } from '../../support/factories';
import { backfilled, limitTo } from '../../support/gate-world';
import { WorkflowWorld } from '../../support/workflow-world';

/** Pairs of settings whose executions could wait for each other. Nothing fails here, no process dies. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Saves a job, and says `saved`, or why it was refused. */
async function saved({ world }: WorkflowWorld, jobId: string, fields: object): Promise<string> {
  const body = { schedule: { type: 'none' }, ...fields };
  const { status, body: answer } = await world.api('putJob', { jobId }, body);
  if (status < 300) return 'saved';
  expect(status).toBe(400);
  return (answer as { errors: { message: string }[] }).errors[0]!.message;
}

/** Calls take so long. Returns which jobs were called for which due time, in order. */
function called({ world }: WorkflowWorld, ms: number, slowMs = ms) {
  const calls: { jobId: string; dueAtMs: number; atMs: number }[] = [];
  let jobId = '';
  world.observe = ({ headers }) => {
    jobId = headers['quarterjack-job']!;
  };
  world.behaviour = async ({ dueAtMs }, signal, clock) => {
    calls.push({ jobId, dueAtMs, atMs: clock.nowMs() });
    await clock.sleep(jobId === 'slow' ? slowMs : ms, signal);
    return { outcome: 'succeeded', statusCode: 200 };
  };
  return calls;
}

describe.each([
  ['an ordering key', { orderingKey: 'k' }],
  ['a concurrency key', { concurrencyKey: 'db' }],
  ['both', { orderingKey: 'k', concurrencyKey: 'db' }],
])('a backfill of a job with %s', (_, keys) => {
  test.each(['skip', 'queue', 'replace'])(
    'and overlap %s goes on, and so do its occurrences',
    async (overlap) => {
      const flow = await WorkflowWorld.started();
      await limitTo(flow, 1);
      const job = { target: TARGET, ...keys };
      await put(flow, 'child', { ...job, schedule: { type: 'interval', every: '2m' }, overlap });
      await put(flow, 'other', { ...job, schedule: { type: 'interval', every: '5m' } });
      const calls = called(flow, 20 * SECOND_MS);
      const execId = await backfilled(flow, 12);
      await flow.world.run(30 * MINUTE_MS);
      const rows: Execution[] = childrenOf(flow);
      expect(rows.find((row) => row.execId === execId)?.status).toBe('succeeded');
      expect(rows.filter(({ parent, status }) => parent && status === 'succeeded')).toHaveLength(12);
      // Each of its own occurrences, and of the other job, comes before the dates that begin after it.
      const late = calls.filter(({ dueAtMs, atMs }) => dueAtMs > T0_MS && atMs - dueAtMs > 2 * MINUTE_MS);
      expect(late).toEqual([]);
      expect(calls.filter(({ jobId }) => jobId === 'other').length).toBeGreaterThanOrEqual(5);
      expect(flow.world.errors()).toEqual([]);
    },
  );
});

test.each([
  ['an ordering key', { orderingKey: 'k' }],
  ['a concurrency key', { concurrencyKey: 'db' }],
])('several dates at once leave %s to what falls due meanwhile', async (_, keys) => {
  const flow = await WorkflowWorld.started();
  await limitTo(flow, 1);
  await put(flow, 'child', { target: TARGET, ...keys });
  await put(flow, 'other', { target: TARGET, ...keys, schedule: { type: 'interval', every: '5m' } });
  const calls = called(flow, 20 * SECOND_MS);
  await backfilled(flow, 60, { parallel: 4 });
  await flow.world.run(18 * MINUTE_MS);
  const others = calls.filter(({ jobId }) => jobId === 'other');
  expect(others).toHaveLength(3);
  // At most the four dates that had begun by then are ahead of each.
  for (const { dueAtMs, atMs } of others) expect(atMs - dueAtMs).toBeLessThan(4 * 25 * SECOND_MS);
  expect(calls.filter(({ dueAtMs }) => dueAtMs < T0_MS).length).toBeGreaterThan(20);
});

describe('a child whose job shares the concurrency key of the run above it', () => {
  test.each(['queue', 'replace', 'skip'])(
    'runs, though an occurrence of it waits for a slot: %s',
    async (overlap) => {
      const flow = await WorkflowWorld.started();
      await limitTo(flow, 1);
      await put(flow, 'child', {
        schedule: { type: 'interval', every: '2m' },
        target: TARGET,
        overlap,
        concurrencyKey: 'db',
      });
      await flow.save(
        { first: {}, load: { dependsOn: ['first'], target: null, job: 'child' } },
        { concurrencyKey: 'db' },
      );
      flow.behave.first = { workMs: 25 * SECOND_MS };
      await flow.world.run(105 * SECOND_MS); // the next occurrence of the child's job is due at 2 min
      await flow.run();
      await flow.world.run(10 * MINUTE_MS);
      expect(flow.runRow.status).toBe('succeeded');
      const own = childrenOf(flow).filter(
        ({ parent, dueAtMs }) => !parent && dueAtMs > T0_MS + 2 * MINUTE_MS,
      );
      expect(own.length).toBeGreaterThanOrEqual(3);
      expect(own.every(({ status }) => status === 'succeeded')).toBe(true);
    },
  );

  test('runs, though as many runs as there are slots wait for their children', async () => {
    const flow = await WorkflowWorld.started();
    await limitTo(flow, 2);
    await put(flow, 'child', { target: TARGET, overlap: 'queue', concurrencyKey: 'db' });
    await flow.save({ load: { target: null, job: 'child' } }, { concurrencyKey: 'db' });
    flow.behave.child = { workMs: 20 * SECOND_MS };
    await flow.run();
    await flow.run();
    expect((await flow.world.api('runJob', { jobId: 'child' })).status).toBe(202);
    await flow.world.run(3 * MINUTE_MS);
    expect(childrenOf(flow).map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });
});

// It stands before an occurrence that falls due later, and has the place at their job's lock meanwhile.
test.each(['skip', 'queue', 'replace'])(
  'a date that waited for the ordering key goes before what is due later, and does not wait for it: %s',
  async (overlap) => {
    const flow = await WorkflowWorld.started();
    const at = (seconds: number) => new Date(T0_MS + seconds * SECOND_MS).toISOString();
    const orderingKey = 'k';
    const long = { target: { ...TARGET, timeout: '2m' }, timeout: '5m', orderingKey };
    await put(flow, 'slow', { schedule: { type: 'at', at: at(30) }, ...long });
    const schedule = { type: 'at', at: at(90) };
    await put(flow, 'child', { schedule, target: TARGET, orderingKey, overlap });
    const calls = called(flow, 20 * SECOND_MS, 100 * SECOND_MS);
    await flow.world.run(45 * SECOND_MS);
    await backfilled(flow, 2);
    await flow.world.run(10 * MINUTE_MS);
    expect(calls.map(({ jobId, dueAtMs }) => [jobId, dueAtMs > T0_MS])).toEqual([
      ['slow', true],
      ['child', false],
      ['child', true],
      ['child', false],
    ]);
    expect(childrenOf(flow).map(({ status }) => status)).toEqual(Array(4).fill('succeeded'));
  },
);

test('an execution that waits for its job takes no slot meanwhile', async () => {
  const flow = await WorkflowWorld.started();
  await limitTo(flow, 2);
  await put(flow, 'child', { target: TARGET, overlap: 'queue', concurrencyKey: 'db' });
  await put(flow, 'other', { target: TARGET, concurrencyKey: 'db' });
  const calls = called(flow, 20 * SECOND_MS);
  for (const jobId of ['child', 'child', 'other']) {
    expect((await flow.world.api('runJob', { jobId })).status).toBe(202);
    await flow.world.run(SECOND_MS);
  }
  await flow.world.run(MINUTE_MS);
  expect(calls.map(({ jobId }) => jobId)).toEqual(['child', 'other', 'child']);
  expect(calls[1]!.atMs - calls[0]!.atMs).toBeLessThan(5 * SECOND_MS);
});

describe('three levels: a job with a key starts a job with a lock, which starts a job with a key', () => {
  const starts = (...jobIds: string[]) => workflow(Object.fromEntries(jobIds.map((job) => [job, { job }])));
  const top = (key = 'db') => ({ ...starts('middle'), concurrencyKey: key });

  const leaf = { target: TARGET, concurrencyKey: 'db' };

  test.each(['skip', 'queue', 'replace'])('is refused when it is saved, and named: %s', async (overlap) => {
    const flow = await WorkflowWorld.started();
    await limitTo(flow, 1);
    await put(flow, 'leaf', leaf);
    await put(flow, 'middle', { ...starts('leaf'), overlap });
    const refused = await saved(flow, 'top', top());
    expect(refused).toContain('top → middle → leaf');
    expect(refused).toContain('middle has an overlap policy');
    // Without any one of the three, there is no circle.
    expect(await saved(flow, 'top', starts('middle'))).toBe('saved');
    expect(await saved(flow, 'top', top())).toContain('top → middle → leaf');
    await put(flow, 'middle', { ...starts('leaf'), overlap: 'allow' });
    expect(await saved(flow, 'top', top())).toBe('saved');
    await put(flow, 'middle', { ...starts('leaf'), overlap, concurrencyKey: 'db' });
    expect(await saved(flow, 'top', top())).toBe('saved');
  });

  test('is refused when it is started, if a job has changed since, and the run ends', async () => {
    const flow = await WorkflowWorld.started();
    await limitTo(flow, 1);
    await put(flow, 'leaf', leaf);
    await put(flow, 'middle', starts('leaf'));
    await put(flow, 'top', top());
    await put(flow, 'middle', { ...starts('leaf'), overlap: 'queue' });
    expect((await flow.world.api('runJob', { jobId: 'top' })).status).toBe(202);
    await flow.world.run(MINUTE_MS);
    expect(childrenOf(flow, 'top')).toMatchObject([{ status: 'failed' }]);
    const [child] = childrenOf(flow, 'middle');
    expect(child).toMatchObject({ status: 'failed', reason: 'concurrency-key' });
    expect(child!.result?.body).toContain('top → middle → leaf');
    expect(child!.result?.body).toContain('top holds a slot');
    expect(childrenOf(flow, 'leaf')).toEqual([]);
  });
});

describe('jobs whose runs need each other', () => {
  const awaits = (job: string, window: unknown = 'same-day', fields: object = {}) =>
    workflow({ [`wait-${job}`]: { await: { job, window }, ...fields } });

  test('two that await each other are refused when the second is saved, and named', async () => {
    const flow = await WorkflowWorld.started();
    await put(flow, 'a', awaits('b', 'same-hour'));
    const refused = await saved(flow, 'b', awaits('a'));
    expect(refused).toContain('a circle of waits: b → a → b');
    expect(refused).toContain('"previous-day"');
    // Yesterday's run, a condition, and a task that may fail are no circle.
    expect(await saved(flow, 'b', awaits('a', 'previous-day'))).toBe('saved');
    const when = { value: '{{ run.day }}', equals: 'x' };
    expect(await saved(flow, 'b', awaits('a', 'same-day', { when }))).toBe('saved');
    expect(await saved(flow, 'b', awaits('a', 'same-day', { allowFailure: true }))).toBe('saved');
    expect(await saved(flow, 'b', awaits('a'))).toContain('b → a → b');
  });

  test('three levels are refused, also by a child, and by an edit of the one between', async () => {
    const flow = await WorkflowWorld.started();
    await put(flow, 'leaf', awaits('top'));
    await put(flow, 'middle', workflow({ go: { job: 'leaf' } }));
    expect(await saved(flow, 'top', awaits('middle'))).toContain('top → middle → leaf → top');
    await put(flow, 'middle', PLAIN);
    expect(await saved(flow, 'top', awaits('middle'))).toBe('saved');
    const edited = await saved(flow, 'middle', workflow({ go: { job: 'leaf' } }));
    expect(edited).toContain('middle → leaf → top → middle');
  });

  test('a job does not await the other runs of its own day, and may await those of the day before', async () => {
    const flow = await WorkflowWorld.started();
    expect(await saved(flow, 'a', awaits('a'))).toContain('a → a');
    expect(await saved(flow, 'a', awaits('a', 'previous-day'))).toBe('saved');
  });

  test.each(['replace', 'dryRun', 'none'])('one of two in a batch is refused: %s', async (flag) => {
    const flow = await WorkflowWorld.started();
    const job = (jobId: string, other: string) => ({ jobId, schedule: { type: 'none' }, ...awaits(other) });
    const body = { jobs: [job('a', 'b'), job('b', 'a')] };
    const query = new Map(flag === 'none' ? [] : [[flag, ['true']]]);
    const answer = await flow.world.api('createJobs', {}, body, {}, { query });
    expect((answer.body as { outcomes: unknown[] }).outcomes).toMatchObject([
      { status: 201 },
      { status: 400, problem: { errors: [{ message: expect.stringContaining('b → a → b') }] } },
    ]);
  });

  test('a circle that stands between other jobs hinders no save', async () => {
    const flow = await WorkflowWorld.started();
    const { jobs } = flow.world.deps;
    await put(flow, 'a', awaits('b'));
    await put(flow, 'b', awaits('a', 'previous-day'));
    const b = (await jobs.get({ userId: 'alice', jobId: 'b' }))!;
    await jobs.replace({ ...b, workflow: { ...b.workflow!, needs: ['a'] } }, b.etag);
    expect(await saved(flow, 'c', awaits('a'))).toBe('saved');
  });
});
