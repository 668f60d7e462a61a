import type { BulkView } from '../../../lambdas/core/http/openapi/bulk';
import { dueOnce, orderedWorld, overlapping, leftTickets, story } from '../../support/ordered';

/** As the SDK throws it for a throttled table. */
class Throttled extends Error {
  override readonly name = 'ThrottlingException';
}

const MINUTE_MS = 60_000;
const JOB_IDS = ['f', 'e', 'd', 'c', 'b', 'a'];
const FIRST = ['f@30', 'e@31', 'd@32', 'c@33', 'b@34', 'a@35'];

/** Jobs of one ordering key, whose executions have failed once and succeed when they are retried. */
async function allFailed() {
  const played = await orderedWorld(({ fence }) =>
    fence === 1 ? { ms: 100, answer: { outcome: 'fatal', statusCode: 400 } } : { ms: 500 },
  );
  const { world } = played;
  for (const [at, jobId] of JOB_IDS.entries()) await world.create(dueOnce(world, jobId, 30 + at));
  await world.run(10 * MINUTE_MS);
  expect(story(played.spans)).toEqual(FIRST);
  const bulk = async (more: object = {}) => {
    const { status, body } = await world.api('bulk', {}, { action: 'retry', filter: {}, all: true, ...more });
    return { status, body: body as BulkView };
  };
  return { ...played, bulk };
}

test('failures of one ordering key are run again in the order of their due times', async () => {
  const { world, spans, bulk } = await allFailed();
  const failed = await world.api('listFailures', {});
  expect(failed.body).toMatchObject({
    items: JOB_IDS.map(() => ({
      fingerprint: expect.stringMatching(/^failed\/fatal\/status\/400\/\w/) as string,
    })),
  });
  expect(await bulk()).toMatchObject({ status: 200, body: { done: 6, failed: [], nextCursor: null } });
  await world.run(5 * MINUTE_MS);
  expect(story(spans)).toEqual([...FIRST, ...FIRST]);
  expect(overlapping(spans)).toEqual([]);
  expect(leftTickets(world)).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('a page that a store interrupts goes on later, in order, and retries nothing twice', async () => {
  const { world, spans, bulk } = await allFailed();
  let retries = 0;
  let strikes = 0;
  world.dynamo.faults = {
    before: ({ input }) => {
      if (!String(input.UpdateExpression).includes('#userRetries') || ++retries !== 3) return;
      strikes += 1;
      throw new Throttled();
    },
  };
  const first = await bulk();
  expect(strikes).toBe(1);
  expect(first.body).toMatchObject({ done: 2, failed: [], stoppedBy: { status: 503 } });
  // The client has not seen the answer, and sends the page again; then it goes on with the first cursor.
  await world.run(2 * MINUTE_MS);
  expect((await bulk()).body).toMatchObject({ done: 4, nextCursor: null });
  expect((await bulk({ cursor: first.body.nextCursor })).body).toMatchObject({ done: 0, nextCursor: null });
  await world.run(5 * MINUTE_MS);
  expect(story(spans)).toEqual([...FIRST, ...FIRST]);
  expect(overlapping(spans)).toEqual([]);
});
