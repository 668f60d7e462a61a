import { parseDurableScript } from '../../../../local/services/step-functions/scripts';
import type { StartedWork } from '../../../support/local/errand-run';
import { type ErrandRun, HERE, type PlayedErrands } from './played-errands';

const FUNCTION = `${HERE('lambda')}:function:target-orders`;
const DURABLE = `${FUNCTION}:*/durable-execution/qj-*`;
const TARGET = {
  ...{ type: 'lambda', functionArn: `${FUNCTION}:live` },
  ...{ durable: true, fatalErrors: ['StandIn'] },
};
const JOBS = ['good', 'bad', 'lost', 'stopped'].map((what) => `durable-${what}`);

/** All jobs have one function, so their payload tells their executions apart. */
const executionOf = async ({ started }: ErrandRun, jobId: string): Promise<StartedWork> =>
  (await started()).find(({ input }) => input === `{"of":"${jobId}"}`)!;

async function expectShown({ read }: ErrandRun): Promise<void> {
  expect((await read('durable-good'))?.errand).toMatchObject({
    type: 'durable',
    id: expect.stringMatching(
      /:function:target-orders:1\/durable-execution\/qj-[0-9a-f]{6}-[0-9a-f]{40}-0\/[0-9a-f]{32}$/,
    ) as string,
    consoleUrl: expect.stringMatching(/lambda\/home\?region=us-east-1#\/functions\/target-orders$/) as string,
  });
}

export const durableFunctions: PlayedErrands = {
  settings: { allowedTargetArns: [`${FUNCTION}:*`], errands: { durable: true } },
  scripts: { durableFunctions: [parseDurableScript('*=1h')] },
  // A list is needed where a start has got no answer, which does not happen here.
  grants: [
    `executor lambda:InvokeFunction ${FUNCTION}:*`,
    `watcher lambda:GetDurableExecution ${DURABLE}`,
    `watcher lambda:GetDurableExecutionHistory ${DURABLE}`,
    `watcher lambda:StopDurableExecution ${DURABLE}`,
  ],
  refused: [],
  async begin(run) {
    for (const jobId of JOBS) await run.create(jobId, TARGET, { timeout: '366d' });
    await Promise.all(JOBS.map(run.untilWatched));
  },
  async endWork(run) {
    await expectShown(run);
    const press = async (jobId: string, act: string) =>
      run.pressArn((await executionOf(run, jobId)).arn, act);
    await press('durable-good', 'end well');
    await press('durable-bad', 'end badly');
    await press('durable-lost', 'lose the event');
    await press('durable-lost', 'end well');
    await run.cancel('durable-stopped');
  },
  async expectEnds(run) {
    // The event has no result, so this one is what the watcher has asked for.
    expect(await run.untilEnded('durable-good')).toMatchObject({
      status: 'succeeded',
      result: { body: '{"of":"durable-good"}' },
    });
    expect(await run.untilEnded('durable-bad')).toMatchObject({
      status: 'failed',
      attempts: [
        {
          outcome: 'fatal',
          error: 'FAILED: StandIn: ended by hand',
          errand: { type: 'durable', steps: [{ name: 'stand-in', state: 'failed' }] },
        },
      ],
    });
    expect(await run.untilEnded('durable-lost')).toMatchObject({
      status: 'succeeded',
      attempts: [{ outcome: 'succeeded' }],
    });
    expect(await run.untilEnded('durable-stopped')).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled-by-user',
    });
    expect((await executionOf(run, 'durable-stopped')).status).toBe('ABORTED');
  },
};
