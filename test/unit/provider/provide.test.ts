import { JOB_RESOURCE, KEY_RESOURCE } from '../../../lambdas/core/contracts/custom-resources';
import type { ProjectApi } from '../../../lambdas/provider/project-api';
import { provide } from '../../../lambdas/provider/provide';
import { respond } from '../../../lambdas/provider/respond';
import type { StackEvent } from '../../../lambdas/provider/stack-event';
import type { PipelineWorld } from '../../support/pipeline-world';
import { COMMON, provider } from './provider-world';

const job = (everyMinutes: number, more: object = {}) => ({
  Project: 'alice',
  JobId: 'nightly',
  Definition: JSON.stringify({
    schedule: { type: 'interval', every: `${everyMinutes}m` },
    target: { type: 'http', url: 'https://example.com' },
  }),
  ...more,
});
const jobEvent = (event: Partial<StackEvent>): StackEvent => ({
  ...COMMON,
  RequestType: 'Create',
  ResourceType: JOB_RESOURCE,
  ResourceProperties: job(5),
  ...event,
});

const everyOf = async (world: PipelineWorld, jobId = 'nightly'): Promise<unknown> => {
  const { status, body } = await world.api('getJob', { jobId });
  return status === 404 ? 'none' : (body as { schedule: { every: string } }).schedule.every;
};

describe('a job', () => {
  test('is created, updated and deleted with its stack', async () => {
    const { world, send } = await provider();
    const created = await send(jobEvent({}));
    expect(created).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: 'alice/nightly',
      StackId: COMMON.StackId,
    });
    expect(await everyOf(world)).toBe('5m');

    const { PhysicalResourceId } = created;
    const update = { RequestType: 'Update', RequestId: 'r2', PhysicalResourceId } as const;
    const updated = await send(
      jobEvent({ ...update, ResourceProperties: job(7), OldResourceProperties: job(5) }),
    );
    expect(updated).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId });
    expect(await everyOf(world)).toBe('7m');

    const remove = jobEvent({ RequestType: 'Delete', RequestId: 'r3', PhysicalResourceId });
    expect(await send(remove)).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId });
    expect(await everyOf(world)).toBe('none');
    expect(await send(remove)).toMatchObject({ Status: 'SUCCESS' }); // it is gone already
  });

  test('is created once, if Lambda repeats the request', async () => {
    const { send } = await provider();
    await send(jobEvent({}));
    expect(await send(jobEvent({}))).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: 'alice/nightly',
    });
  });

  test('that exists already is refused, and the rollback leaves it alone', async () => {
    const { world, send } = await provider();
    await world.api('putJob', { jobId: 'nightly' }, JSON.parse(job(9).Definition));
    const created = await send(jobEvent({}));
    expect(created.Status).toBe('FAILED');
    expect(created.Reason).toMatch(/^the API answered 409: .*nightly/);
    const { PhysicalResourceId } = created;
    expect(await send(jobEvent({ RequestType: 'Delete', PhysicalResourceId }))).toMatchObject({
      Status: 'SUCCESS',
    });
    expect(await everyOf(world)).toBe('9m');
  });

  test('that the API refuses fails the deployment in the words of the API, and the rollback repairs it', async () => {
    const { world, send } = await provider();
    const { PhysicalResourceId } = await send(jobEvent({}));
    const bad = job(5, { Definition: job(5).Definition.replace('5m', '1ms') });
    const update = { RequestType: 'Update', PhysicalResourceId } as const;
    const failed = await send(jobEvent({ ...update, ResourceProperties: bad }));
    expect(failed).toMatchObject({ Status: 'FAILED', PhysicalResourceId });
    expect(failed.Reason).toMatch(/^the API answered 400: .*schedule\.every/);
    await send(jobEvent({ ...update, ResourceProperties: job(5), OldResourceProperties: bad }));
    expect(await everyOf(world)).toBe('5m');
  });

  test('with another id is another job: a rollback finds the first one still there', async () => {
    const { world, send } = await provider();
    const first = await send(jobEvent({}));
    const renamed = job(5, { JobId: 'hourly' });
    const update = { RequestType: 'Update', PhysicalResourceId: first.PhysicalResourceId } as const;
    const second = await send(jobEvent({ ...update, ResourceProperties: renamed }));
    expect(second.PhysicalResourceId).toBe('alice/hourly');
    const back = { RequestType: 'Update', PhysicalResourceId: second.PhysicalResourceId } as const;
    expect(await send(jobEvent({ ...back, ResourceProperties: job(5) }))).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: 'alice/nightly',
    });
    await send(jobEvent({ RequestType: 'Delete', PhysicalResourceId: 'alice/hourly' }));
    expect([await everyOf(world), await everyOf(world, 'hourly')]).toEqual(['5m', 'none']);
  });

  test('waits for an API that is busy', async () => {
    const { world, deps } = await provider();
    let busy = 2;
    const api: ProjectApi = async (...call) =>
      busy-- > 0 ? { status: 429, body: { detail: 'quota' } } : deps.api(...call);
    const response = provide(jobEvent({}), { ...deps, api });
    await world.run(6_000);
    expect(await response).toMatchObject({ Status: 'SUCCESS' });
  });
});

describe('a key', () => {
  const key = (more: object = {}) => ({
    Project: 'alice',
    Role: 'editor',
    Name: 'cdk Orders',
    SecretArn: 'arn:secret',
    Rotation: '1',
    ...more,
  });
  const keyEvent = (event: Partial<StackEvent>): StackEvent =>
    jobEvent({ ResourceType: KEY_RESOURCE, ResourceProperties: key(), ...event });
  const keyIds = async (world: PipelineWorld): Promise<string[]> => {
    const { body } = await world.api('listApiKeys');
    return (body as { items: { keyId: string }[] }).items.map(({ keyId }) => keyId);
  };

  test('is put into its secret, replaced when it is rotated, and revoked with its stack', async () => {
    const { world, send, secrets } = await provider();
    const first = await send(keyEvent({}));
    const [, firstId] = first.PhysicalResourceId.split('/');
    expect(secrets.get('arn:secret')).toMatch(new RegExp(`^qj_${firstId}_`));

    const update = { RequestType: 'Update', PhysicalResourceId: first.PhysicalResourceId } as const;
    const same = await send(keyEvent({ ...update, OldResourceProperties: key() }));
    expect(same.PhysicalResourceId).toBe(first.PhysicalResourceId);

    const rotated = await send(
      keyEvent({ ...update, ResourceProperties: key({ Rotation: '2' }), OldResourceProperties: key() }),
    );
    const [, secondId] = rotated.PhysicalResourceId.split('/');
    expect(secrets.get('arn:secret')).toMatch(new RegExp(`^qj_${secondId}_`));
    await send(keyEvent({ RequestType: 'Delete', PhysicalResourceId: first.PhysicalResourceId }));
    expect(await keyIds(world)).toEqual([secondId]);
  });

  test('that cannot be kept is revoked', async () => {
    const { world, deps } = await provider();
    const putSecret = async () => {
      throw new Error('AccessDeniedException');
    };
    expect(await provide(keyEvent({}), { ...deps, putSecret })).toMatchObject({
      Status: 'FAILED',
      Reason: 'AccessDeniedException',
      PhysicalResourceId: 'failed:request-1',
    });
    expect(await keyIds(world)).toEqual([]);
  });
});

test('a resource of an unknown type is refused with the types that there are', async () => {
  const { send } = await provider();
  const { Status, Reason } = await send(jobEvent({ ResourceType: 'Custom::Other' }));
  expect([Status, Reason]).toEqual([
    'FAILED',
    'no resource of type Custom::Other; expected Custom::QuarterjackJob, Custom::QuarterjackJobs or Custom::QuarterjackKey',
  ]);
});

test('CloudFormation gets the response, also if its storage fails at first', async () => {
  const { world } = await provider();
  const sent: RequestInit[] = [];
  const fetch = async (_url: unknown, request?: RequestInit) => {
    sent.push(request!);
    return new Response(null, { status: sent.length === 1 ? 503 : 200 });
  };
  const response = { ...COMMON, Status: 'SUCCESS', PhysicalResourceId: 'alice/nightly' } as const;
  const done = respond('https://signed.test', response, {
    fetch: fetch as typeof globalThis.fetch,
    clock: world.clock,
  });
  await world.run(1_000);
  await done;
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ method: 'PUT', headers: { 'content-type': '' } });
  expect(JSON.parse(sent[1]!.body as string)).toMatchObject({ Status: 'SUCCESS', StackId: COMMON.StackId });
});
