import { tellEnds } from '../../../lambdas/core/alerts/tell-ends';
import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { compactInstant, jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { PipelineWorld } from '../../support/pipeline-world';

const FAILURES = 10_000;

test('a storm of 10,000 failures in one minute is at most 21 messages, rechecked twice or not', async () => {
  const world = await PipelineWorld.started(1);
  const target = { type: 'http', url: 'https://hooks.example.com/ops' };
  expect((await world.api('putNotification', { id: 'ops' }, { on: ['failed'], target })).status).toBe(201);
  const finishedAtMs = world.clock.nowMs();
  const execId = compactInstant(finishedAtMs);
  const ended = Array.from({ length: FAILURES }, (_, index) => {
    const jobKey = jobKeyOf({ userId: 'alice', jobId: `job-${index}` });
    return { jobKey, execId, status: 'failed' as const, reason: 'fatal' as const, fence: 1, finishedAtMs };
  });
  const bodies: { kind: string; headline: string }[] = [];
  world.observe = (delivery) => bodies.push(JSON.parse(delivery.body.toString()) as (typeof bodies)[number]);
  expect((await tellEnds(ended, world.deps)).size).toBe(0);
  // Each recheck may be repeated.
  expect((await tellEnds(ended.slice(0, 1_000), world.deps)).size).toBe(0);
  await world.run(3 * MINUTE_MS);
  expect(bodies.filter(({ kind }) => kind === 'failed')).toHaveLength(20);
  expect(bodies.filter(({ kind }) => kind === 'summary')).toEqual([
    expect.objectContaining({ headline: `${FAILURES - 20} more messages in one minute` }),
  ]);
  expect(bodies).toHaveLength(21);
});
