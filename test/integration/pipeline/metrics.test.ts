import { DeleteCommand, PutCommand } from '../../../lambdas/core/store/dynamo/commands';

import { Metric } from '../../../lambdas/core/contracts/metrics';
import { bucketKeyOf, jobKeyOf, minuteOf } from '../../../lambdas/core/contracts/tables';
import { aTarget, aMessage, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { outage } from '../../support/outage';
import { PipelineWorld } from '../../support/pipeline-world';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;

/** The names of the metrics that have been counted or recorded. */
const emittedBy = ({ meter }: PipelineWorld): string[] =>
  Object.values(Metric).filter((name) => meter.total(name) > 0 || meter.values(name).length > 0);

/** One world for each thing that can happen to jobs. Together they make the stages emit every metric. */
const STORIES: Record<string, () => Promise<PipelineWorld>> = {
  'a job is made, and runs': async () => {
    const world = await PipelineWorld.started(1);
    const target = { type: 'http', url: 'https://example.com/hook' };
    world.behaviour = (_call, _signal, clock) => ({ outcome: 'succeeded', sentAtMs: clock.nowMs() });
    await world.api('createJob', {}, { schedule: { type: 'delay', delay: '10s' }, target });
    await world.create(newJobAt(world, {}));
    await world.run(8 * MINUTE_MS);
    return world;
  },

  'an executor dies between the end of a task and its mark, and another task fails': async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.b = FAILED;
    await flow.save({ a: {}, b: { dependsOn: ['a'] } });
    let isDead = false;
    flow.world.onExecutorCall = ({ input }, kill) => {
      if (isDead || !String(input.UpdateExpression).includes('#run.#marks')) return;
      isDead = true;
      kill();
    };
    await flow.run();
    await flow.world.run(2 * MINUTE_MS);
    return flow.world;
  },

  'a target fails, then refuses': async () => {
    const world = await PipelineWorld.started(1);
    world.behaviour = ({ attempt }) => ({ outcome: attempt === 1 ? 'retriable' : 'fatal' });
    await world.create(newJobAt(world, {}));
    await world.run(3 * MINUTE_MS);
    return world;
  },

  'a run takes longer than the interval': async () => {
    const world = await PipelineWorld.started(1);
    world.behaviour = async (_, signal, clock) => {
      await clock.sleep(90_000, signal);
      return { outcome: 'succeeded' };
    };
    const job = newJobAt(world, { overlap: 'skip' });
    await world.create({ ...job, target: aTarget({ timeout: '2m' }) });
    await world.run(4 * MINUTE_MS);
    return world;
  },

  'nothing is scanned for ten minutes': async () => {
    const world = await PipelineWorld.started(1);
    await world.create(newJobAt(world, {}));
    await outage(world, 15 * MINUTE_MS);
    await world.run(3 * MINUTE_MS);
    return world;
  },

  'a message is delivered twice, and another is lost': async () => {
    const world = await PipelineWorld.started(1);
    const job = await world.create(newJobAt(world, {}));
    await world.run(2 * MINUTE_MS);
    const dueAtMs = T0_MS + MINUTE_MS;
    await world.deps.queue.send([{ message: aMessage({ jobKey: jobKeyOf(job), dueAtMs }), delaySec: 0 }]);
    await world.run(1_000);
    world.queue.purge();
    await world.run(8 * MINUTE_MS);
    return world;
  },

  'an executor can no longer write heartbeats': async () => {
    const world = await PipelineWorld.started(1);
    world.behaviour = async (_, signal, clock) => {
      await clock.sleep(60_000, signal);
      return { outcome: 'succeeded' };
    };
    world.dynamo.faults = {
      before: ({ input }) => {
        if (input.UpdateExpression === 'SET #heartbeatAtMs = :nowMs') throw new Error('unreachable');
      },
    };
    await world.create(newJobAt(world, {}));
    await world.run(5 * MINUTE_MS);
    return world;
  },

  'an entry cannot be read': async () => {
    const world = await PipelineWorld.started(1);
    const bucket = bucketKeyOf(minuteOf(T0_MS) + 5, 0);
    await world.dynamo.send(
      new PutCommand({
        TableName: 'schedule',
        Item: { bucket, entry: '20261201', kind: 1, expiresAtSec: 2_000_000_000 },
      }),
    );
    await world.run(4 * MINUTE_MS);
    return world;
  },

  'an entry is deleted directly in the table': async () => {
    const world = await PipelineWorld.started(1);
    await world.create(newJobAt(world, { schedule: { type: 'interval', every: '1h' } }));
    for (const { bucket, entry } of world.tables.rows('schedule').filter(({ entry }) => entry !== '#'))
      await world.dynamo.send(new DeleteCommand({ TableName: 'schedule', Key: { bucket, entry } }));
    await world.audit();
    return world;
  },
};

/** Not emitted by these stages: see `test/unit/canary` and `test/unit/core/events/batched-events.test.ts`. */
const TESTED_SEPARATELY: readonly string[] = [
  Metric.canaryRegistrationMs,
  Metric.canaryDeliveryMs,
  Metric.eventsLost,
  // test/unit/core/platform/stream-handler.test.ts
  Metric.endsUnread,
  // test/unit/exporter/export-spans.test.ts
  Metric.spansSent,
  Metric.spansRejected,
  Metric.spansDropped,
  // test/integration/protocol/errands.test.ts
  Metric.probesPutOff,
  Metric.probeFound,
  Metric.lostSight,
  Metric.errandLagMs,
];

test('each metric of the list is emitted by a stage', async () => {
  const emitted = new Set<string>();
  for (const story of Object.values(STORIES)) for (const name of emittedBy(await story())) emitted.add(name);
  expect([...emitted, ...TESTED_SEPARATELY].toSorted()).toEqual(Object.values<string>(Metric).toSorted());
});

test('without a tick no lag is measured: the alarm on it then lacks its data', async () => {
  const world = await PipelineWorld.started(1);
  await world.run(5 * MINUTE_MS);
  world.on.tick = false;
  await world.run(MINUTE_MS);
  const before = world.meter.values(Metric.cursorLagSec).length;
  await world.run(30 * MINUTE_MS);
  expect(before).toBeGreaterThan(4);
  expect(world.meter.values(Metric.cursorLagSec)).toHaveLength(before);
});

test('the lag is 0 while the cursors keep up, and about as long as an outage after it', async () => {
  const world = await PipelineWorld.started(1);
  await world.run(5 * MINUTE_MS);
  expect(Math.max(...world.meter.values(Metric.cursorLagSec).slice(1))).toBe(0);
  expect(Math.max(...world.meter.values(Metric.sweepLagSec).slice(-10))).toBe(0);
  await outage(world, 20 * MINUTE_MS);
  const before = world.meter.values(Metric.sweepLagSec).length;
  await world.run(2 * MINUTE_MS);
  const longest = Math.max(...world.meter.values(Metric.sweepLagSec).slice(before));
  expect(longest).toBeGreaterThan(18 * 60);
  expect(Math.max(...world.meter.values(Metric.cursorLagSec))).toBeGreaterThan(15 * 60);
});
