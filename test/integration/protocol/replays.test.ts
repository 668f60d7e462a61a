import { T0_MS } from '../../support/factories';
import { killBetween, putsAttemptEntry, rowsPut, setsStatus } from '../../support/kill-between';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';
import { SEND } from '../../support/stage-nodes';

// A request that starts something dies between two of its writes, and its client repeats it.

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const KEY = { 'idempotency-key': 'k' };
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });

type Call = Parameters<typeof putsAttemptEntry>[0];
const sends = ({ command }: Call): boolean => command === SEND;
const putsQueued = (call: Call): boolean =>
  rowsPut(call, 'executions').some(({ status }) => status === 'queued');

interface Started {
  world: PipelineWorld;
  request: () => Promise<{ status: number }>;
  row: (call: Call) => boolean;
  statuses: () => string[];
}

async function manualRun(): Promise<Started> {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 600 * MINUTE_MS) }));
  const request = () => world.api('runJob', { jobId: job.jobId }, undefined, KEY);
  return { world, request, row: putsQueued, statuses: () => world.executions(job).map((one) => one.status) };
}

async function userRetry(): Promise<Started> {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 400, error: '400' });
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + SECOND_MS) }));
  await world.run(10 * MINUTE_MS);
  world.behaviour = () => ({ outcome: 'succeeded', statusCode: 200 });
  const { execId } = world.executions(job)[0]!;
  const request = () => world.api('retryExecution', { jobId: job.jobId, execId }, undefined, KEY);
  const statuses = () => world.executions(job).map((one) => one.status);
  return { world, request, row: setsStatus('retrying'), statuses };
}

async function event(): Promise<Started> {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: { type: 'event', name: 'order.paid' } }));
  const request = () => world.api('sendEvent', {}, { name: 'order.paid', id: 'evt-1' });
  return { world, request, row: putsQueued, statuses: () => world.executions(job).map((one) => one.status) };
}

const STARTS = [
  ['a manual run', manualRun],
  ['a user retry', userRetry],
  ['an event', event],
] as const;

describe.each(STARTS)('%s', (_, begin) => {
  it.each([
    ['the entry and the row', 'entry'],
    ['the row and the message', 'row'],
  ] as const)('whose request dies between %s runs once, whenever it is repeated', async (_between, after) => {
    for (const pauseMs of [0, SECOND_MS, 14 * SECOND_MS, 16 * SECOND_MS, 25 * SECOND_MS, 10 * MINUTE_MS]) {
      const { world, request, row, statuses } = await begin();
      const called = world.calls.length;
      const killed = killBetween(world, 'api', after === 'entry' ? [putsAttemptEntry, row] : [row, sends]);
      void request();
      await world.run(pauseMs + 1);
      expect(killed()).toBe(true);
      for (let times = 0; times < 5; times++) expect((await request()).status).toBe(202);
      await world.run(MINUTE_MS);
      expect(statuses()).toEqual(['succeeded']);
      expect(world.calls).toHaveLength(called + 1);
    }
  });

  it('that waits for an hour has few entries, however often its request is repeated', async () => {
    const { world, request, statuses } = await begin();
    const count = async (repeat: boolean): Promise<number> => {
      let filed = 0;
      world.onCall = (_by, call) => {
        filed += rowsPut(call, 'schedule').filter(({ entry }) => String(entry).includes('#a#')).length;
      };
      for (let times = 0; times < 240; times++) {
        if (repeat) expect((await request()).status).toBe(202);
        await world.run(15 * SECOND_MS);
      }
      return filed;
    };
    Object.assign(world, { executorsPerLane: 0 }); // all are busy
    await request();
    const alone = await count(false);
    const repeated = await count(true);
    expect(['queued', 'retrying']).toContain(statuses()[0]);
    expect(alone).toBeGreaterThan(5);
    expect(repeated).toBeLessThan(60); // not 240, each of them rechecked again and again
  });
});
