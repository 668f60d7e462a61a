import { raiseShards } from '../../../../lambdas/core/shards/raise-shards';
import { noAnswer } from '../../../support/dynamo/errors';
import { PipelineWorld } from '../../../support/pipeline-world';

test('cursors come first: a raise that is cut off leaves no shard without cursors', async () => {
  const { deps } = await PipelineWorld.started(2);
  const { schedule } = deps;
  let answered = 0;
  const once =
    <Args extends unknown[]>(write: (...args: Args) => Promise<void>) =>
    async (...args: Args) => {
      if (answered++ > 0) throw noAnswer();
      await write(...args);
    };
  const cutOff = {
    ...schedule,
    createCursors: once(schedule.createCursors),
    raiseShards: once(schedule.raiseShards),
  };
  await expect(raiseShards(4, { ...deps, schedule: cutOff })).rejects.toThrow();
  expect(answered).toBe(2);
  const { count } = await schedule.readShards();
  const shards = Array.from({ length: count }, (_, shard) => shard);
  for (const kind of ['scan', 'sweep'] as const)
    expect(new Set((await schedule.readCursors(kind, shards)).keys())).toEqual(new Set(shards));
});
