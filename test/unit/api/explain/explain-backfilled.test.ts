import { compactInstant } from '../../../../lambdas/core/contracts/tables';
import { anExecution } from '../../../support/factories';
import { putEnded } from '../ended-row';
import { codes, daily, explain, textOf, worldWith } from './explainer';

const DATE_MS = Date.parse('2026-11-17T08:30:00Z');
const BACKFILL = '20261201T083000.000Z-bf1';

async function worldWithDate(dueAtMs: number, status: 'succeeded' | 'failed' = 'succeeded') {
  const world = await worldWith(daily);
  const execId = `${compactInstant(dueAtMs)}-d-${'0'.repeat(26)}`;
  const parent = { jobKey: world.jobKey('a'), execId: BACKFILL, task: 'dates', round: 1 };
  const jobKey = world.jobKey('a');
  await world.deps.ends.putEnded(
    anExecution({ jobKey, execId, dueAtMs, status, parent, trigger: 'backfill', finishedAtMs: dueAtMs }),
  );
  return { world, execId };
}

test('a date that only a backfill has run names its execution', async () => {
  const { world, execId } = await worldWithDate(DATE_MS);
  const answered = await explain(world, DATE_MS);
  expect(answered.body).toMatchObject({
    verdict: 'not-planned',
    sentence: expect.stringMatching(/^The job did not exist at .* A backfill has run it since\.$/),
    execution: null,
  });
  expect(codes(answered)).toEqual(['existed false', 'backfilled true']);
  expect(textOf(answered, 'backfilled')).toBe(
    `The backfill ${BACKFILL} started an execution for this date, which ended as succeeded.`,
  );
  expect(answered.body.steps.at(-1).evidence).toMatchObject({ execId });
});

test('an occurrence that failed, and was backfilled, keeps its verdict', async () => {
  const dueAtMs = Date.parse('2026-12-02T08:30:00Z');
  const { world } = await worldWithDate(dueAtMs, 'failed');
  await putEnded(world, 'a', dueAtMs, { status: 'failed', reason: 'fatal' });
  const answered = await explain(world, dueAtMs);
  expect(answered.body).toMatchObject({ verdict: 'ran', execution: { status: 'failed' } });
  expect(answered.body.sentence).toMatch(/ A backfill started it: failed\.$/);
  expect(codes(answered).at(-1)).toBe('backfilled false');
});

test('the execution of a date can be read and looked up by its id', async () => {
  const { world, execId } = await worldWithDate(DATE_MS);
  const params = { jobId: 'a', execId };
  const read = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', params);
  expect(read).toMatchObject({ status: 200, body: { parent: { execId: BACKFILL, taskId: 'dates' } } });
  const lookup = await world.call('POST /v1/executions/lookup', {}, { executions: [params] });
  expect(lookup.body.executions).toMatchObject([{ execId }]);
});
