import { ApiWorld } from '../world';

const DAY_MS = 86_400_000;
const at = (world: ApiWorld, afterMs: number) => ({
  type: 'at',
  at: new Date(world.clock.nowMs() + afterMs).toISOString(),
});

describe('the pending entry of a revision that was replaced', () => {
  it('is deleted, however often a job changes', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: at(world, 3 * DAY_MS) });
    for (let round = 0; round < 20; round++) {
      await world.post('a', 'pause');
      await world.post('a', 'resume');
      await world.patch('a', { schedule: at(world, (3 + round) * DAY_MS) });
    }
    const { revision } = (await world.jobRow('a'))!;
    expect(world.entries.map(({ entry }) => String(entry).split('#')[3])).toEqual([revision]);
  });

  it('is deleted with its job', async () => {
    const world = new ApiWorld();
    for (let round = 0; round < 5; round++) {
      await world.create({ jobId: 'a', schedule: at(world, 3 * DAY_MS) });
      await world.remove('a');
    }
    expect(world.entries).toEqual([]);
  });

  it('stays if a stage may have sent its message: 180 s ahead and a margin', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'near', schedule: at(world, 369_000) });
    await world.create({ jobId: 'far', schedule: at(world, 371_000) });
    for (const jobId of ['near', 'far']) await world.post(jobId, 'pause');
    expect(world.entries.map(({ entry }) => String(entry).split('#')[1])).toEqual([world.jobKey('near')]);
  });

  it('stays if another request changed the job first', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a', schedule: at(world, 3 * DAY_MS) });
    world.beforeNextWrite(() => world.patch('a', { name: 'other' }));
    expect((await world.remove('a', { headers: { 'if-match': headers.etag! } })).status).toBe(412);
    expect(world.entries).toHaveLength(1);
  });

  it('is left to its recheck if it cannot be deleted', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: at(world, 3 * DAY_MS) });
    world.deps.schedule.removeEntry = () => Promise.reject(new Error('throttled'));
    expect((await world.post('a', 'pause')).status).toBe(200);
    expect(world.entries).toHaveLength(1);
    expect(world.log.lines.map(({ message }) => message)).toContain(
      'entry of a replaced revision is left to its recheck',
    );
  });
});

describe('the entry of an expectation that a change replaces', () => {
  it('is deleted, and with its job', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: at(world, 3 * DAY_MS), expectEvery: '25h' });
    for (let second = 0; second < 20; second++) {
      await world.clock.advance(1_000);
      await world.patch('a', { expectEvery: `${90_000 - second}s` });
    }
    await world.post('a', 'pause');
    await world.post('a', 'resume');
    await world.patch('a', { name: 'other' });
    expect(expectationsIn(world)).toHaveLength(1);
    await world.patch('a', { expectEvery: null });
    expect(expectationsIn(world)).toEqual([]);
    await world.patch('a', { expectEvery: '25h' });
    await world.remove('a');
    expect(world.entries).toEqual([]);
  });

  it('is left to its recheck if it cannot be deleted', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: at(world, 3 * DAY_MS), expectEvery: '25h' });
    world.deps.schedule.removeEntry = () => Promise.reject(new Error('throttled'));
    expect((await world.patch('a', { expectEvery: null })).status).toBe(200);
    expect(expectationsIn(world)).toHaveLength(1);
    expect(world.log.lines.map(({ message }) => message)).toContain(
      'entry of an expectation is left to its recheck',
    );
  });
});

const expectationsIn = (world: ApiWorld) =>
  world.entries.filter(({ entry }) => String(entry).includes('-expect-'));
