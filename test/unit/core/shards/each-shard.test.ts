import { eachShard } from '../../../../lambdas/core/shards/each-shard';

const MINUTE_MS = 60_000;
const SHARDS = [3, 5, 8];

describe('eachShard', () => {
  it('works on every shard of the request, one after another', async () => {
    const events: string[] = [];
    await eachShard(SHARDS, 0, async (shard) => {
      events.push(`begin ${shard}`);
      await Promise.resolve();
      events.push(`end ${shard}`);
    });
    expect(events).toEqual(['begin 3', 'end 3', 'begin 5', 'end 5', 'begin 8', 'end 8']);
  });

  it('begins with another shard each minute, so that none is always last', async () => {
    const orders: number[][] = [];
    for (const minute of [0, 1, 2, 3]) {
      const order: number[] = [];
      await eachShard(SHARDS, minute * MINUTE_MS + 59_999, async (shard) => void order.push(shard));
      orders.push(order);
    }
    expect(orders).toEqual([
      [3, 5, 8],
      [5, 8, 3],
      [8, 3, 5],
      [3, 5, 8],
    ]);
  });

  it('lets a shard that fails hold up no other, and throws what failed together', async () => {
    const done: number[] = [];
    const work = async (shard: number) => {
      if (shard !== 5) throw new Error(`no answer from ${shard}`);
      done.push(shard);
    };
    const failure: unknown = await eachShard(SHARDS, 0, work).catch((error: unknown) => error);
    expect(done).toEqual([5]);
    expect(failure).toBeInstanceOf(AggregateError);
    expect((failure as AggregateError).message).toBe('2 of 3 shards failed');
    expect((failure as AggregateError).errors).toEqual([
      new Error('no answer from 3'),
      new Error('no answer from 8'),
    ]);
  });
});
