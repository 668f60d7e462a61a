import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import type { DeployedJob } from '../../../lambdas/core/contracts/custom-resources';
import { DONE, jobs, stacks } from './stacks';

/** Each job fires once a minute, and tries again for longer than a deployment takes. */
const minutely = (...ids: string[]): DeployedJob[] =>
  jobs(...ids).map(({ jobId }) => ({
    jobId,
    definition: {
      schedule: { type: 'interval', every: '1m' },
      retry: { maxAttempts: 5, initialDelay: '10s', maxDelay: '1m' },
    },
  }));

/** A program whose code and jobs change one after the other, as a stack deploys them. */
async function program(ids: readonly string[]) {
  const base = await stacks();
  const { world } = base;
  let known: readonly string[] = ids;
  const answered: string[] = [];
  let asked = '';
  world.observe = ({ headers }) => (asked = headers['quarterjack-job']!);
  world.behaviour = () => {
    const hasIt = known.includes(asked);
    answered.push(`${asked} ${hasIt ? 200 : 503}`);
    return hasIt
      ? { outcome: 'succeeded', statusCode: 200 }
      : { outcome: 'retriable', statusCode: 503, retryAfterMs: MINUTE_MS, error: `unknown-job: ${asked}` };
  };
  expect(await base.create(minutely(...ids))).toMatchObject(DONE);
  return {
    ...base,
    setCode: (...next: string[]) => void (known = next),
    /** What a job was answered so far. */
    answeredTo: (jobId: string) => answered.filter((one) => one.startsWith(jobId)),
    /** Statuses of all executions of a job, and their reasons. */
    endsOf: (jobId: string) => {
      const ends = world.executions({ userId: 'alice', jobId });
      return new Set(
        ends.map(({ status, reason }) => (status === 'succeeded' ? status : `${status}: ${reason}`)),
      );
    },
    dueOf: (jobId: string) => world.executions({ userId: 'alice', jobId }).length,
  };
}

const GAP_MS = 2.5 * MINUTE_MS;
/** How executions of a job end that the program has, then has not, and that is removed at last. */
const GONE = new Set(['succeeded', 'skipped: deleted', 'cancelled: deleted']);

test('in the gap of an update, a removed job is tried again until it is gone, and each due time is recorded', async () => {
  const { world, setCode, update, answeredTo, endsOf, dueOf } = await program(['keep', 'removed']);
  await world.run(GAP_MS);
  setCode('keep', 'added');
  await world.run(GAP_MS);
  expect(answeredTo('removed')).toContain('removed 503');
  await update(minutely('keep', 'added'));
  await world.run(10 * MINUTE_MS);
  expect(endsOf('keep')).toEqual(new Set(['succeeded']));
  expect(endsOf('added')).toEqual(new Set(['succeeded']));
  expect(endsOf('removed')).toEqual(GONE);
  expect(dueOf('removed')).toBeGreaterThanOrEqual(4);
});

test('in the gap of a rollback, a new job is tried again until it is gone, and a removed one comes back', async () => {
  const { world, setCode, update, answeredTo, endsOf } = await program(['keep', 'removed']);
  setCode('keep', 'added');
  await update(minutely('keep', 'added'));
  await world.run(GAP_MS);
  setCode('keep', 'removed');
  await world.run(GAP_MS);
  expect(answeredTo('added')).toContain('added 503');
  await update(minutely('keep', 'removed'));
  await world.run(10 * MINUTE_MS);
  expect(endsOf('keep')).toEqual(new Set(['succeeded']));
  expect(endsOf('added')).toEqual(GONE);
  expect(answeredTo('removed').at(-1)).toBe('removed 200');
});

test('a job that the program never gets fails once its retries are over, with what the program has said', async () => {
  const { world, setCode, endsOf } = await program(['keep', 'lost']);
  setCode('keep');
  await world.run(12 * MINUTE_MS);
  expect([...endsOf('lost')].some((end) => end.startsWith('failed'))).toBe(true);
  expect(endsOf('keep')).toEqual(new Set(['succeeded']));
});
