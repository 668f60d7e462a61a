import * as z from 'zod';

import { defineJob, every, FatalError, RetryAfter, testJob } from '../../../../client/jobs-in-code';

const schema = z.object({ region: z.string().default('eu') });
const now = '2026-12-01T08:30:00Z';

test('runs a job as an attempt does, and gives its result and its log', async () => {
  const job = defineJob({
    id: 'report',
    schedule: every('1h'),
    schema,
    run: ({ payload, dueAt, log }) => {
      log.info(`region ${payload.region}`);
      log.error('slow');
      return { on: dueAt.getUTCDate() };
    },
  });
  const { result, log, attempts } = await testJob(job, { now });
  const day: number | undefined = result?.on;
  expect(day).toBe(1);
  expect(log).toEqual([
    { level: 'info', text: 'region eu' },
    { level: 'error', text: 'slow' },
  ]);
  expect(attempts).toEqual([{ at: new Date(now) }]);
});

test('tries again as often as it may, and after the delay that an error asks for', async () => {
  const job = defineJob({
    id: 'report',
    run: ({ attempt }) => {
      if (attempt < 3) throw new RetryAfter('5m');
      return attempt;
    },
  });
  expect(await testJob(job, { now, attempts: 2 })).toMatchObject({ error: { delay: '5m' } });
  const { result, attempts, ...rest } = await testJob(job, { now, attempts: 5 });
  expect(result).toBe(3);
  expect(rest).not.toHaveProperty('error');
  expect(attempts.map(({ at }) => at.toISOString().slice(11, 16))).toEqual(['08:30', '08:35', '08:40']);
});

test('a payload that does not fit is migrated, and fits then or ends it', async () => {
  const seen: unknown[] = [];
  const migrate = jest.fn((payload: unknown) => ({ region: (payload as { place: string }).place }));
  const strict = z.strictObject({ region: z.string() });
  const job = defineJob({ id: 'report', schema: strict, migrate, run: ({ payload }) => seen.push(payload) });
  await testJob(job, { payload: { region: 'eu' } });
  expect(migrate).not.toHaveBeenCalled();
  await testJob(job, { payload: { place: 'us' } });
  expect(seen).toEqual([{ region: 'eu' }, { region: 'us' }]);
  const { error, attempts } = await testJob(job, { payload: {}, attempts: 3 });
  expect(error).toBeInstanceOf(FatalError);
  expect(attempts).toHaveLength(1);
  expect(job.definition).not.toHaveProperty('migrate');
});

test('what a job says of its progress is recorded, and the key is as it was given', async () => {
  const job = defineJob({
    id: 'report',
    run: ({ progress, key }) => {
      progress(0.5, 'half');
      return key;
    },
  });
  expect(await testJob(job, { key: 'unpaid-42' })).toMatchObject({
    result: 'unpaid-42',
    progress: [{ value: 0.5, text: 'half' }],
  });
});

test('a fatal error and a payload that does not fit end it', async () => {
  const fatal = defineJob({ id: 'report', run: () => Promise.reject(new FatalError('no such table')) });
  expect((await testJob(fatal, { attempts: 5 })).attempts).toHaveLength(1);
  const { error } = await testJob(defineJob({ id: 'report', schema, run: () => 1 }), {
    payload: { region: 7 },
  });
  expect(error).toBeInstanceOf(FatalError);
});

test.each([
  ['a time that is none', { now: 'soon' }, 'now is a string; expected a time'],
  ['no attempt', { attempts: 0 }, 'attempts is a number; expected a whole number from 1 on'],
])('%s is refused', async (_, options, message) => {
  await expect(testJob(defineJob({ id: 'report', run: () => 1 }), options)).rejects.toThrow(message);
});
