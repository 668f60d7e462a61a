import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

test('queues --workers lists who has asked which queue', async () => {
  for (const queue of ['spare', 'warehouse'])
    await session.run(`jobs create ${queue} --schedule none --queue ${queue}`);
  expect((await session.run('queues --workers')).stdout).toBe('No worker has asked within the last hour.\n');
  for (const [queue, worker] of [
    ['spare', 'host-1/4711'],
    ['warehouse', 'host-1/4711'],
    ['warehouse', 'host-2/12'],
  ])
    await session.world.call('POST /v1/work/claim', {}, { queue, worker });
  const { stdout } = await session.run('queues --workers');
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
    ['WORKER', 'QUEUE'],
    ['host-1/4711', 'spare'],
    ['host-1/4711', 'warehouse'],
    ['host-2/12', 'warehouse'],
    [''],
  ]);
  const [spare] = await session.json('queues --workers');
  expect(spare).toMatchObject({ queue: 'spare', workers: [{ worker: 'host-1/4711' }] });
});
