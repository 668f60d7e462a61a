import { rmSync } from 'node:fs';

import type { MachineExecution } from '../../../local/services/step-functions/execution';
import { parseDurableScript } from '../../../local/services/step-functions/scripts';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { Needs } from '../../support/iam/needs';
import { errandRun, WITHIN_MS } from '../../support/local/errand-run';
import { Host } from '../../support/local/host';
import { synthesizeWith } from '../../support/local/synthesize-with';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:target-orders';
const DURABLE = `${FUNCTION}:*/durable-execution/qj-*`;
const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };

let assembly: string;
let host: Host;

beforeAll(async () => {
  assembly = synthesizeWith({ allowedTargetArns: [`${FUNCTION}:*`], errands: { durable: true } });
  const durableFunctions = [parseDurableScript('*=1h')];
  host = await Host.start({ port: 0, dataDir: undefined, assembly, durableFunctions });
});

afterAll(async () => {
  await host?.stop();
  rmSync(assembly, { recursive: true });
});

const { post, read, until, untilEnded, started, press: pressArn } = errandRun(() => host);

async function create(jobId: string): Promise<void> {
  const response = await post('/v1/jobs', {
    jobId,
    schedule: { type: 'delay', delay: '1s' },
    target: { type: 'lambda', functionArn: `${FUNCTION}:live`, durable: true, fatalErrors: ['StandIn'] },
    payload: { of: jobId },
    timeout: '366d',
  });
  expect([response.status, await response.json()]).toEqual([201, expect.objectContaining({ jobId })]);
}

const executionOf = async (jobId: string): Promise<MachineExecution> =>
  (await started<MachineExecution>()).find(({ input }) => input === JSON.stringify({ of: jobId }))!;

/** Presses a button of the execution that the job has started. */
const press = async (jobId: string, act: string): Promise<void> =>
  pressArn((await executionOf(jobId)).arn, act);

const JOBS = ['good', 'bad', 'lost', 'stopped'];

test(
  'each job ends as its durable execution ends, by the event, a probe or a cancellation',
  async () => {
    for (const jobId of JOBS) await create(jobId);
    for (const jobId of JOBS) await until(jobId, ({ errand }) => errand?.state === 'watched');
    expect((await read('good'))?.errand).toMatchObject({
      type: 'durable',
      id: expect.stringMatching(
        /:function:target-orders:1\/durable-execution\/qj-[0-9a-f]{6}-[0-9a-f]{40}-0\/[0-9a-f]{32}$/,
      ) as string,
      consoleUrl: expect.stringMatching(
        /lambda\/home\?region=us-east-1#\/functions\/target-orders$/,
      ) as string,
    });

    await press('good', 'end well');
    await press('bad', 'end badly');
    await press('lost', 'lose the event');
    await press('lost', 'end well');
    const { execId } = (await read('stopped'))!;
    expect((await post(`/v1/jobs/stopped/executions/${execId}/cancel`, {})).status).toBe(202);

    // The event has no result, so this one is what the watcher has asked for.
    expect(await untilEnded('good')).toMatchObject({
      status: 'succeeded',
      result: { body: '{"of":"good"}' },
    });
    expect(await untilEnded('bad')).toMatchObject({
      status: 'failed',
      attempts: [
        {
          outcome: 'fatal',
          error: 'FAILED: StandIn: ended by hand',
          errand: { type: 'durable', steps: [{ name: 'stand-in', state: 'failed' }] },
        },
      ],
    });
    expect(await untilEnded('lost')).toMatchObject({
      status: 'succeeded',
      attempts: [{ outcome: 'succeeded' }],
    });
    expect(await untilEnded('stopped')).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
    expect((await executionOf('stopped')).status).toBe('ABORTED');
  },
  2 * WITHIN_MS,
);

/** A list is needed where a start has got no answer, which does not happen here. */
const GRANTS = [
  `executor lambda:InvokeFunction ${FUNCTION}:*`,
  `watcher lambda:GetDurableExecution ${DURABLE}`,
  `watcher lambda:GetDurableExecutionHistory ${DURABLE}`,
  `watcher lambda:StopDurableExecution ${DURABLE}`,
];

test('each of these calls needs its own grant, and none was denied', async () => {
  const { policies } = readStack(readAssembly(assembly), AWS);
  const needs = new Needs(policies, (grant) => !GRANTS.includes(grant));
  expect(needs.grants).toEqual(expect.arrayContaining(GRANTS));
  needs.learn(await host.decisions());
  expect(needs.unneeded).toEqual([]);
  expect(host.errors).not.toContain('AccessDenied');
});
