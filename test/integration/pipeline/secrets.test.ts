import type { Job } from '../../../lambdas/core/domain/job';
import { usesPrefixOf } from '../../../lambdas/core/contracts/tables';
import { aTarget } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const VALUE = 'p4ssw0rd-of-the-crm';

async function worldWithSecret() {
  const world = await PipelineWorld.started(1);
  const put = (value: string) =>
    world.api('putSecret', { name: 'crm' }, { value, hosts: ['example.com'] }).then(({ status }) => status);
  expect(await put(VALUE)).toBe(201);
  return { world, put };
}

const withSecret: Partial<Job> = {
  target: aTarget({ auth: { type: 'bearer', token: '{{ secrets.crm }}' }, mode: 'async' }),
};

describe('a report', () => {
  async function accepted(prepare: (world: PipelineWorld) => Promise<unknown> = async () => undefined) {
    const { world, put } = await worldWithSecret();
    await prepare(world);
    const tokens: string[] = [];
    const notified: string[] = [];
    let isNotification = false;
    world.behaviour = () =>
      isNotification ? { outcome: 'succeeded', statusCode: 200 } : { outcome: 'accepted', statusCode: 202 };
    world.observe = ({ headers, body }) => {
      isNotification = headers['quarterjack-job']!.startsWith('~n-');
      if (isNotification) notified.push(body.toString());
      else tokens.push(headers['quarterjack-token']!);
    };
    const schedule: Job['schedule'] = {
      type: 'at',
      at: new Date(world.clock.nowMs() + 30_000).toISOString(),
    };
    const job = await world.create(newJobAt(world, { ...withSecret, schedule }));
    await world.run(MINUTE_MS);
    const report = (operation: 'completeAttempt' | 'failAttempt', body: object) =>
      world.api(operation, {}, body, { authorization: `Bearer ${tokens[0]}` });
    return { world, put, report, notified, execution: () => world.executions(job)[0]! };
  }

  it.each([
    ['its value', async () => undefined],
    [
      'a value that was replaced meanwhile',
      (put: (value: string) => Promise<number>) => put('another value'),
    ],
  ])('is kept without %s', async (_, meanwhile) => {
    const { report, execution, put, world } = await accepted();
    await meanwhile(put);
    const basic = Buffer.from(`user:${VALUE}`).toString('base64');
    expect(await report('completeAttempt', { result: { echo: VALUE, basic } })).toMatchObject({
      status: 200,
    });
    expect(execution()).toMatchObject({ status: 'succeeded' });
    expect(execution().result?.body).toMatch(
      /^\{"echo":"\[secret crm\]","basic":"dXNlcj.?\[secret crm\]"\}$/,
    );
    expect(JSON.stringify(world.tables.rows('executions'))).not.toContain('p4ssw0rd');
  });

  it('of a failure is kept without it too', async () => {
    const { report, execution } = await accepted();
    await report('failAttempt', { error: `no access: ${VALUE}`, retriable: false });
    expect(execution().attempts).toMatchObject([{ outcome: 'fatal', error: 'no access: [secret crm]' }]);
  });

  it('of a failure is notified without it', async () => {
    const target = { type: 'http', url: 'https://hooks.example.com/ops' };
    const { report, notified, world } = await accepted(async (made) => {
      const answer = made.api('putNotification', { id: 'ops' }, { on: ['failed'], target });
      expect((await made.clock.settle(answer)).status).toBe(201);
    });
    await report('failAttempt', { error: `no access: ${VALUE}`, retriable: false });
    await world.run(2 * MINUTE_MS);
    expect(notified).toEqual([expect.stringContaining('no access: [secret crm]')]);
    expect(notified.join()).not.toContain('p4ssw0rd');
  });

  it('is not kept if the secret is gone: its value cannot be looked for', async () => {
    const { report, execution, world } = await accepted();
    await world.deps.secrets.remove('alice', 'crm');
    await report('completeAttempt', { result: `thanks for ${VALUE}` });
    expect(execution()).toMatchObject({
      status: 'succeeded',
      result: { body: '[not kept: the value of secret crm is not known any more]' },
    });
  });
});

describe('the auditor', () => {
  const rowsOf = (world: PipelineWorld) =>
    world.tables
      .rows('jobs')
      .map(({ jobId }) => String(jobId))
      .filter((sort) => sort.startsWith(usesPrefixOf('secret', 'crm')));

  it('removes rows of jobs that no longer use a secret, and no others', async () => {
    const { world } = await worldWithSecret();
    for (const jobId of ['keeps', 'drops', 'goes'])
      await world.create(newJobAt(world, { ...withSecret, jobId }));
    expect(rowsOf(world)).toHaveLength(3);
    await world.api('patchJob', { jobId: 'drops' }, { target: { auth: null } });
    await world.api('deleteJob', { jobId: 'goes' });
    await world.audit();
    expect(rowsOf(world)).toHaveLength(3); // a request may still be about to write its job
    await world.run(11 * MINUTE_MS);
    await world.audit();
    expect(rowsOf(world)).toEqual(['#uses#secret/crm/keeps']);
  });

  it('leaves a row that a request has written again', async () => {
    const { world } = await worldWithSecret();
    await world.create(newJobAt(world, { ...withSecret, jobId: 'job' }));
    await world.api('patchJob', { jobId: 'job' }, { target: { auth: null } });
    await world.run(11 * MINUTE_MS);
    let isWritten = false;
    world.onCall = (stage, { command }) => {
      if (stage !== 'auditor' || command !== 'DeleteCommand' || isWritten) return;
      isWritten = true;
      void world.deps.uses.put([
        { userId: 'alice', jobId: 'job', kind: 'secret', name: 'crm', atMs: world.clock.nowMs() },
      ]);
    };
    await world.audit();
    expect(isWritten).toBe(true);
    expect(rowsOf(world)).toEqual(['#uses#secret/crm/job']);
  });
});
