import { ApiWorld } from '../world';

const HERE = 'eu-central-1:111122223333';
const machine = {
  type: 'stepfunctions',
  stateMachineArn: `arn:aws:states:${HERE}:stateMachine:target-m`,
  wait: true,
};
const run = { type: 'glue', glueJobArn: `arn:aws:glue:${HERE}:job/target-etl` };
const plain = { type: 'http', url: 'https://example.com/hook' };

let world: ApiWorld;
beforeEach(() => (world = new ApiWorld()));
const ageOf = ({ body }: { body: { retry: { maxAge: string } } }): string => body.retry.maxAge;

test.each([
  [{ target: plain }, '24h'],
  [{ target: plain, timeout: '10m' }, '24h'],
  [{ target: { ...machine, wait: false } }, '24h'],
  [{ target: run }, '25h'],
  [{ target: run, timeout: '36h' }, '60h'],
  [{ target: machine, timeout: '366d' }, '366d'],
  [{ target: machine, timeout: '36h', retry: { maxAge: '1h' } }, '1h'],
  [{ target: machine, timeout: '36h', retry: { maxAge: '300d' } }, '300d'],
])('%j may be tried again for %s', async (definition, maxAge) => {
  const { status, body } = await world.create({ jobId: 'a', ...definition });
  expect([status, body.retry?.maxAge]).toEqual([201, maxAge]);
});

test('what is not waited for has an age of 30 days at most, and a task too', async () => {
  const tooOld = { retry: { maxAge: '31d' } };
  const message = '"31d" is out of range: must be from 1s to 30d';
  const refused = await world.create({ jobId: 'b', target: plain, ...tooOld });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'retry.maxAge', message }] } });
  const tasks = { a: { target: plain, ...tooOld } };
  expect(await world.create({ jobId: 'b', target: undefined, workflow: { tasks } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'workflow.tasks.a.retry.maxAge', message }] },
  });
});

test('a default follows what a patch changes; what a user gave stays', async () => {
  await world.create({ jobId: 'c', target: plain });
  expect(ageOf(await world.patch('c', { target: run, timeout: '36h' }))).toBe('60h');
  expect(ageOf(await world.patch('c', { timeout: '48h' }))).toBe('72h');
  expect(ageOf(await world.patch('c', { retry: { maxAge: '5h' } }))).toBe('5h');
  expect(ageOf(await world.patch('c', { timeout: '40h' }))).toBe('5h');
  expect(ageOf(await world.patch('c', { retry: { maxAge: null } }))).toBe('64h');
  expect(ageOf(await world.patch('c', { target: plain, timeout: '10m' }))).toBe('24h');
});
