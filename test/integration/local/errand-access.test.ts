import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import { parseScript } from '../../../local/services/step-functions/scripts';
import { synthesize } from '../../../local/template/synthesize';
import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';

/*
 * Who may save, start, see and end work of AWS: by the role in a project, and by what the project may start.
 * `billing` may start one state machine and put into one stream; `ops` may do neither.
 */

const HERE = (service: string) => `arn:aws:${service}:us-east-1:000000000000`;
const MACHINE = `${HERE('states')}:stateMachine:target-invoices`;
const STREAM = `${HERE('kinesis')}:stream/target-invoices`;
const SCOPE = 'jobs:read jobs:write runs:operate runs:approve work project:admin';
const WITHIN_MS = 60_000;

const errand = (stateMachineArn = MACHINE) => ({ type: 'stepfunctions', stateMachineArn, wait: true });
const action = (StreamARN = STREAM) => ({
  type: 'aws',
  action: 'kinesis:PutRecord',
  input: { StreamARN, PartitionKey: 'a', Data: 'b' },
});

let assembly: string;
let host: Host;
const tokens = new Map<string, string>();

beforeAll(async () => {
  assembly = await synthesize({
    settings: {
      allowedTargetArns: { billing: [MACHINE] },
      allowedActions: { billing: [{ action: 'kinesis:PutRecord', resources: [STREAM] }] },
    },
  });
  host = await Host.start({
    ...{ port: 0, dataDir: undefined, assembly, projects: 'groups' },
    stateMachines: [parseScript('*=1h')],
  });
  const issuer = await openIssuer(ISSUER_DIR);
  for (const who of ['billing:viewer', 'billing:worker', 'billing:operator', 'billing:editor', 'ops:owner'])
    tokens.set(
      who,
      await issuer.token({
        ...{ user: 'ann', scope: SCOPE, ttlSec: 3_600, nowMs: Date.now() },
        groups: [`project:${who}`],
      }),
    );
});

afterAll(async () => {
  await host?.stop();
});

type Reply = { status: number; body: Record<string, unknown> };
async function ask(who: string, method: string, path: string, body?: object): Promise<Reply> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await host.fetch(`/v1/jobs${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens.get(who)}`, 'content-type': type },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Reply['body']) };
}

const save = (who: string, jobId: string, target: object) =>
  ask(who, 'POST', '', { jobId, schedule: { type: 'none' }, target });
const newest = async (who: string, jobId: string) => {
  const { status, body } = await ask(who, 'GET', `/${jobId}/executions`);
  return { status, one: (body.items as Record<string, unknown>[] | undefined)?.[0] };
};

test.each(['billing:viewer', 'billing:worker', 'billing:operator'])('%s may save none of it', async (who) => {
  expect((await save(who, 'mine', errand())).status).toBe(403);
  expect((await save(who, 'mine', action())).status).toBe(403);
  expect((await ask(who, 'PATCH', '/any', { target: errand() })).status).toBe(403);
});

test.each([
  ['starts it as an errand', 'target.stateMachineArn', errand()],
  ['calls it as an action', 'target.action', action()],
])('another project may not name what billing may start: %s', async (_, path, target) => {
  const { status, body } = await save('ops:owner', 'theirs', target);
  expect([status, body.errors]).toEqual([400, [{ path, message: expect.any(String) as unknown }]]);
  // It does not tell what other projects may start.
  expect(JSON.stringify(body)).not.toContain('billing');
});

test.each([
  ['another machine', 'target.stateMachineArn', errand(`${HERE('states')}:stateMachine:target-payroll`)],
  ['another operation', 'target.action', { ...action(), action: 'kinesis:DeleteStream', input: {} }],
])('nor may an editor of billing: %s', async (_, path, target) => {
  const { status, body } = await save('billing:editor', 'other', target);
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ path })]]);
});

test('an operator starts, sees and ends what an editor has saved; a viewer sees it; no other project does', async () => {
  expect((await save('billing:editor', 'invoices', errand())).status).toBe(201);
  for (const [who, status] of [
    ['billing:viewer', 403],
    ['billing:worker', 403],
    ['ops:owner', 404],
  ] as const)
    expect([who, (await ask(who, 'POST', '/invoices/run', {})).status]).toEqual([who, status]);
  expect((await ask('billing:operator', 'POST', '/invoices/run', {})).status).toBeLessThan(300);
  const seen = await eventually(
    () => newest('billing:viewer', 'invoices'),
    ({ one }) => (one?.errand as { state?: string } | undefined)?.state === 'watched',
    WITHIN_MS,
  );
  const { execId } = seen.one as { execId: string };
  expect(seen.one!.errand).toMatchObject({
    consoleUrl: expect.stringContaining('target-invoices') as unknown,
  });
  expect((await newest('billing:worker', 'invoices')).status).toBe(403);
  expect((await newest('ops:owner', 'invoices')).status).toBe(404);
  for (const [who, status] of [
    ['billing:viewer', 403],
    ['billing:worker', 403],
    ['ops:owner', 404],
  ] as const)
    for (const verb of ['cancel', 'retry']) {
      const path = `/invoices/executions/${execId}/${verb}`;
      expect([who, verb, (await ask(who, 'POST', path, {})).status]).toEqual([who, verb, status]);
    }
  expect((await newest('billing:viewer', 'invoices')).one).toMatchObject({ status: 'running' });
  const cancelled = await ask('billing:operator', 'POST', `/invoices/executions/${execId}/cancel`, {});
  expect(cancelled.status).toBeLessThan(300);
  const { one } = await eventually(
    () => newest('billing:viewer', 'invoices'),
    (read) => read.one?.status === 'cancelled',
    3 * WITHIN_MS,
  );
  expect(one).toMatchObject({ status: 'cancelled' });
}, 300_000);

test('an action is called under the role for actions, and its execution is of its project alone', async () => {
  expect((await save('billing:editor', 'put', action())).status).toBe(201);
  expect((await ask('ops:owner', 'POST', '/put/run', {})).status).toBe(404);
  expect((await ask('billing:operator', 'POST', '/put/run', {})).status).toBeLessThan(300);
  await eventually(
    () => newest('billing:viewer', 'put'),
    ({ one }) => one?.status === 'succeeded',
    WITHIN_MS,
  );
  expect((await newest('ops:owner', 'put')).status).toBe(404);
  const calls = (await host.decisions()).filter((one) => one.action === 'kinesis:PutRecord');
  expect(calls.length).toBeGreaterThan(0);
  for (const { principal, result } of calls)
    expect([JSON.stringify(principal), result]).toEqual([expect.stringContaining('Actions'), 'allowed']);
}, 120_000);
