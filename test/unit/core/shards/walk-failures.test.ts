import { BUCKETS_BEHIND, SHARDS, type VisitPage, WalkWorld } from './walk-world';

describe('a walk over shards of which some fail', () => {
  let world: WalkWorld;
  beforeEach(async () => {
    world = await WalkWorld.started();
  });

  it('reads its page once more, and walks on', async () => {
    const { readBucket } = world.schedule;
    let failures = 1;
    world.failing({
      readBucket: async (query) => {
        if (query.shard === 2 && failures-- > 0) throw new Error('no answer');
        return readBucket(query);
      },
    });
    await world.run();
    expect(await world.positions()).toEqual(SHARDS.map(() => 0));
    expect(world.log.messages('warn')).toEqual(['schedule bucket could not be read']);
  });

  it('walks all other shards, and then throws all failures together', async () => {
    await world.put(4, world.endMinute - 2);
    const { readBucket } = world.schedule;
    world.failing({
      readBucket: async (query) => {
        if (query.shard === 2) throw new Error('no answer for shard 2');
        return readBucket(query);
      },
    });
    const visit: VisitPage = async () => {
      throw new Error('no answer to the visit of shard 4');
    };
    const failure: unknown = await world.run(visit).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AggregateError);
    const { message, errors } = failure as AggregateError & { errors: { message: string; cause: Error }[] };
    expect(message).toBe('2 of 6 shards failed');
    expect(Object.fromEntries(errors.map((error) => [error.message, error.cause.message]))).toEqual({
      'shard 2 failed': 'no answer for shard 2',
      'shard 4 failed': 'no answer to the visit of shard 4',
    });
    expect(await world.positions()).toEqual([0, 0, -BUCKETS_BEHIND, 0, -2, 0]);
  });

  it('reads cursors one by one if they cannot be read together', async () => {
    const { readCursors } = world.schedule;
    world.failing({
      readCursors: async (kind, shards, options) => {
        if (shards.length > 1 || shards[0] === 2) throw new Error('no answer');
        return readCursors(kind, shards, options);
      },
    });
    await expect(world.run()).rejects.toThrow('1 of 6 shards failed');
    world.failing({ readCursors });
    expect(await world.positions()).toEqual([0, 0, -BUCKETS_BEHIND, 0, 0, 0]);
  });
});
