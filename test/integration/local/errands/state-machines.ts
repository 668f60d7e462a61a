import { parseScript } from '../../../../local/services/step-functions/scripts';
import { type ErrandRun, HERE, type PlayedErrands } from './played-errands';

const MACHINES = `${HERE('states')}:stateMachine:target-`;
const EXECUTIONS = `${HERE('states')}:execution:target-*:qj-*`;

const JOBS = ['good', 'bad', 'stopped', 'lost', 'doubled'].map((what) => `machine-${what}`);

const create = (run: ErrandRun, jobId: string, more: object = {}): Promise<void> =>
  run.create(jobId, { type: 'stepfunctions', stateMachineArn: `${MACHINES}${jobId}`, wait: true }, more);

async function expectShown({ read }: ErrandRun): Promise<void> {
  expect((await read('machine-good'))!.errand).toMatchObject({
    state: 'watched',
    id: expect.stringMatching(/:execution:target-machine-good:qj-[0-9a-f]{6}-[0-9a-f]{40}-0$/),
    consoleUrl: expect.stringContaining('us-east-1.console.aws.amazon.com'),
  });
}

/** How the executions of each state machine have ended, the last one first. */
const ENDED: Record<string, string[]> = {
  'machine-good': ['SUCCEEDED'],
  'machine-bad': ['SUCCEEDED', 'FAILED'],
  'machine-stopped': ['ABORTED'],
  'machine-lost': ['SUCCEEDED'],
  'machine-doubled': ['SUCCEEDED'],
  'machine-late': ['ABORTED'],
};

export const stateMachines: PlayedErrands = {
  settings: { allowedTargetArns: [`${MACHINES}*`] },
  scripts: { stateMachines: [parseScript('*=1h')] },
  grants: [
    `executor states:StartExecution ${MACHINES}*`,
    `watcher states:DescribeExecution ${EXECUTIONS}`,
    `watcher states:StopExecution ${EXECUTIONS}`,
  ],
  refused: [],
  async begin(run) {
    for (const jobId of JOBS) await create(run, jobId);
    await create(run, 'machine-late', { timeout: '5s', retry: { maxAttempts: 1 } });
    await Promise.all(JOBS.map(run.untilWatched));
  },
  async endWork(run) {
    await expectShown(run);
    await run.press('machine-good', 'end well');
    await run.press('machine-bad', 'end badly');
    await run.press('machine-lost', 'lose the event');
    await run.press('machine-lost', 'end well');
    await run.press('machine-doubled', 'send it twice');
    await run.press('machine-doubled', 'end well');
    await run.cancel('machine-stopped');
    const second = await run.until('machine-bad', ({ errand }) => errand?.id?.endsWith('-1') === true);
    expect(second?.attempts).toMatchObject([
      { outcome: 'retriable', error: 'FAILED: StandIn: ended by hand' },
    ]);
    await run.press('machine-bad', 'end well');
  },
  async expectEnds({ untilEnded, read, worksOf }) {
    expect(await untilEnded('machine-good')).toMatchObject({
      status: 'succeeded',
      attempts: [{ outcome: 'succeeded' }],
      result: { body: '{"of":"machine-good"}' },
    });
    expect(await untilEnded('machine-bad')).toMatchObject({
      status: 'succeeded',
      attempts: [{ outcome: 'retriable' }, { outcome: 'succeeded' }],
    });
    for (const jobId of ['machine-doubled', 'machine-lost'])
      expect(await untilEnded(jobId)).toMatchObject({
        status: 'succeeded',
        attempts: [{ outcome: 'succeeded' }],
      });
    expect(await untilEnded('machine-stopped')).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled-by-user',
    });
    const late = await untilEnded('machine-late');
    expect(late?.status).toBe('failed');
    // The kill of the run may have cost it an attempt.
    expect(late?.attempts.at(-1)).toMatchObject({
      outcome: 'retriable',
      error: expect.stringContaining('timed out') as string,
    });
    for (const [jobId, statuses] of Object.entries(ENDED)) {
      expect((await read(jobId))?.errand).toBeUndefined();
      expect([jobId, (await worksOf(jobId)).map(({ status }) => status)]).toEqual([jobId, statuses]);
    }
  },
};
