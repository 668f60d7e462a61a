import { Metric } from '../../../lambdas/core/contracts/metrics';
import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import { dueOnce, ordered, orderedWorld, overlapping, leftTickets, story } from '../../support/ordered';

const MINUTE_MS = 60_000;
const fatal = { outcome: 'fatal', statusCode: 400 } as const;
const every = (sec: number, minutes: number) => ({
  type: 'interval' as const,
  every: `${sec}s`,
  anchor: new Date(T0_MS).toISOString(),
  endAt: new Date(T0_MS + minutes * MINUTE_MS).toISOString(),
});

describe('onFailure: block', () => {
  /** `a` fails and blocks `b` and `c`; a retry of `a` succeeds. */
  async function blocked() {
    const played = await orderedWorld(({ jobId, fence }) =>
      jobId === 'a' && fence === 1 ? { ms: 500, answer: fatal } : { ms: 500 },
    );
    const { world } = played;
    await world.create(dueOnce(world, 'a', 30, { onFailure: 'block' }));
    await world.create(dueOnce(world, 'b', 31, { onFailure: 'block' }));
    await world.create(dueOnce(world, 'c', 32, { onFailure: 'block' }));
    await world.run(20 * MINUTE_MS);
    expect(story(played.spans)).toEqual(['a@30']);
    const execId = execIdOfOccurrence(T0_MS + 30_000);
    return { ...played, execId };
  }

  test('the failed execution shows that it blocks its key', async () => {
    const { world, execId } = await blocked();
    const seen = await world.api('getExecution', { jobId: 'a', execId });
    expect(seen.body).toMatchObject({ status: 'failed', orderingKey: 'customer/42', blocksKey: true });
    const key = await world.api('unblockOrderingKey', {}, { orderingKey: 'another key' });
    expect(key).toMatchObject({ status: 200, body: { holder: null, blocked: false, waiting: [] } });
    expect(world.errors()).toEqual([]);
  });

  test.each([
    ['a retry that succeeds', 'retryExecution', ['a@30', 'a@30', 'b@31', 'c@32']],
    ['a cancel', 'cancelExecution', ['a@30', 'b@31', 'c@32']],
  ] as const)('%s of the failed execution unblocks the key', async (_, operation, expected) => {
    const { world, spans, execId } = await blocked();
    expect((await world.api(operation, { jobId: 'a', execId })).status).toBe(202);
    await world.run(10_000);
    expect(story(spans)).toEqual(expected);
    expect(overlapping(spans)).toEqual([]);
    expect(leftTickets(world)).toEqual([]);
    expect(world.executions({ userId: 'alice', jobId: 'a' })[0]?.blocksKey).toBeUndefined();
  });

  test('unblocking the key lets the others run, and the response lists them', async () => {
    const { world, spans } = await blocked();
    const answer = await world.api('unblockOrderingKey', {}, { orderingKey: 'customer/42' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        orderingKey: 'customer/42',
        blocked: false,
        waiting: [
          { jobId: 'b', dueAt: '2026-12-01T08:30:31.000Z' },
          { jobId: 'c', dueAt: '2026-12-01T08:30:32.000Z' },
        ],
      },
    });
    await world.run(10_000);
    expect(story(spans)).toEqual(['a@30', 'b@31', 'c@32']);
  });

  test('a key can be unblocked after the failed job was deleted', async () => {
    const { world, spans } = await blocked();
    expect((await world.api('deleteJob', { jobId: 'a' })).status).toBe(204);
    await world.run(MINUTE_MS);
    expect(story(spans)).toEqual(['a@30']);
    await world.api('unblockOrderingKey', {}, { orderingKey: 'customer/42' });
    await world.run(10_000);
    expect(story(spans)).toEqual(['a@30', 'b@31', 'c@32']);
  });

  test('a failed execution blocks only until its record expires', async () => {
    const { world, spans } = await blocked();
    await world.create(dueOnce(world, 'd', 31 * 86_400));
    world.clock.stepWall(31 * 86_400_000);
    world.tables.expire('executions', 'expiresAtSec', world.clock.nowMs() / 1_000);
    await world.api('runJob', { jobId: 'd' });
    await world.run(2_000);
    expect(story(spans).at(-1)).toMatch(/^d@/);
  });
});

test('executions that wait for hours are late, but neither skipped nor reported as lost', async () => {
  const { world, spans } = await orderedWorld(({ jobId, fence }) =>
    jobId === 'a' && fence === 1 ? { ms: 500, answer: fatal } : { ms: 500 },
  );
  await world.create(dueOnce(world, 'a', 30, { onFailure: 'block' }));
  const behind = await world.create(ordered(world, 'b', { schedule: every(600, 40) }));
  for (let passes = 0; passes < 18; passes++) {
    await world.run(10 * MINUTE_MS);
    await world.audit();
  }
  expect(world.executions(behind)).toEqual([]);
  expect(world.meter.total(Metric.didNotRun)).toBe(0);
  await world.api('unblockOrderingKey', {}, { orderingKey: 'customer/42' });
  await world.run(30_000);
  expect(story(spans)).toEqual(['a@30', 'b@600', 'b@1200', 'b@1800']);
  expect(world.executions(behind).every(({ status }) => status === 'succeeded')).toBe(true);
});
