import { T0_MS } from '../../support/factories';
import { dueOnce, ordered, orderedWorld, story } from '../../support/ordered';

const MINUTE_MS = 60_000;
const retriable = { outcome: 'retriable', statusCode: 503 } as const;
const patient = {
  maxAttempts: 5,
  initialDelay: '10m',
  maxDelay: '10m',
  multiplier: 1,
  maxAge: '24h',
} as const;

const twice = (firstSec: number, everySec: number) => ({
  type: 'interval' as const,
  every: `${everySec}s`,
  anchor: new Date(T0_MS + firstSec * 1_000).toISOString(),
  startAt: new Date(T0_MS + firstSec * 1_000).toISOString(),
  endAt: new Date(T0_MS + (firstSec + everySec + 1) * 1_000).toISOString(),
});

test('a waiting execution that its successor replaces releases its ordering key as well as its job', async () => {
  const { world, spans } = await orderedWorld(({ jobId, dueAtMs }) =>
    jobId === 'a' && dueAtMs === T0_MS + 30_000 ? { ms: 500, answer: retriable } : { ms: 500 },
  );
  await world.create(
    ordered(world, 'a', { schedule: twice(30, 20), overlap: 'replace', retry: { ...patient } }),
  );
  await world.create(dueOnce(world, 'c', 40));
  await world.run(2 * MINUTE_MS);
  expect(story(spans)).toEqual(['a@30', 'c@40', 'a@50']);
  expect((spans[1]!.beginMs - T0_MS) / 1_000).toBeLessThan(51);
});
