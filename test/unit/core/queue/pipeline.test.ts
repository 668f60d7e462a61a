import { routeToOverflow } from '../../../../lambdas/core/queue/overflow';
import { queuePipeline, SENDING, type SendingStage } from '../../../../lambdas/core/queue/pipeline';
import { aMessage, T0_MS } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { MemoryQueue } from '../../../support/memory-queue';

const STAGES = Object.keys(SENDING) as SendingStage[];
const SHARDS = 2;
const LIMIT_PER_SEC = 2;
const STARTS_AT_MS = T0_MS + 60_500;

function pipelineOf(stage: SendingStage) {
  const clock = new FakeClock();
  const sentAtMs: number[] = [];
  const queue = new MemoryQueue(clock, { beforeAccept: () => void sentAtMs.push(clock.nowMs() - T0_MS) });
  const state = { maintenance: false, shardReads: 0 };
  const pipeline = queuePipeline(
    queue,
    stage,
    { default: LIMIT_PER_SEC },
    {
      clock,
      inMaintenance: async () => state.maintenance,
      shardCount: async () => {
        state.shardReads += 1;
        return SHARDS;
      },
    },
  );
  return { clock, pipeline, queue, sentAtMs, state };
}

const due = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    message: aMessage({ jobKey: `alice/job-${index}`, startAtMs: STARTS_AT_MS }),
    delaySec: 60,
  }));

test.each(STAGES)(
  '%s: in maintenance mode, messages are dropped and count against no limit',
  async (stage) => {
    const { clock, pipeline, queue, state } = pipelineOf(stage);
    state.maintenance = true;
    await clock.settle(pipeline.send(due(10)));
    expect(queue.messages).toEqual([]);
    expect(state.shardReads).toBe(0);
    state.maintenance = false;
    await clock.settle(pipeline.send(due(1)));
    await clock.advance(70_000);
    expect((await queue.backlog('default', 'overflow')).visible).toBe(0);
  },
);

test.each<[SendingStage, number]>([
  ['api', 1],
  ['scanner', SHARDS],
  ['executor', 1],
  ['sweeper', SHARDS],
  ['auditor', SHARDS],
])('%s: %i of ten messages of one second stay in their lane', async (stage, admitted) => {
  const { clock, pipeline, queue } = pipelineOf(stage);
  await clock.settle(pipeline.send(due(10)));
  await clock.advance(70_000);
  expect((await queue.backlog('default', 'medium')).visible).toBe(admitted);
  expect((await queue.backlog('default', 'overflow')).visible).toBe(10 - admitted);
});

test.each<[SendingStage, number]>([
  ['api', 0],
  ['scanner', 200],
  ['executor', 0],
  ['sweeper', 0],
  ['auditor', 0],
])('%s: a message due at half past a second is sent %i ms into the second', async (stage, phaseMs) => {
  const { clock, pipeline, sentAtMs } = pipelineOf(stage);
  await clock.settle(pipeline.send(due(1)));
  expect(sentAtMs).toEqual([phaseMs]);
});

test('executors of the overflow queue send everything to the overflow queue', async () => {
  const { pipeline, queue } = pipelineOf('executor');
  await routeToOverflow(pipeline).send([{ message: aMessage(), delaySec: 0 }]);
  expect((await queue.backlog('default', 'overflow')).visible).toBe(1);
});
