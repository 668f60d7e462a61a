import { executionView, type AnyExecution } from '../../../../lambdas/api/executions/execution-view';
import type { PastErrand } from '../../../../lambdas/core/domain/errand';
import { ExecutionView } from '../../../../lambdas/core/http/openapi/execution';

const MACHINE = 'arn:aws:states:eu-central-1:111122223333:stateMachine:nightly';
const NAME = `qj-1a2b3c-${'0'.repeat(40)}-0`;
const ARN = `arn:aws:states:eu-central-1:111122223333:execution:nightly:${NAME}`;

const errand = { type: 'stepfunctions' as const, name: NAME, resource: MACHINE, firstStartAtMs: 1_000 };
const delegated = (more: object = {}) => ({
  openErrand: 'qj-1a2b3c',
  delegatedTo: { sinceMs: 1_000, endsAtMs: 61_000, errand: { ...errand, ...more } },
});

const viewOf = async (fields: object) => (await executionOf(fields)).errand;

async function executionOf(fields: object) {
  const execution = {
    jobKey: 'alice/nightly',
    execId: '20261201T083000.000Z',
    trigger: 'schedule',
    status: 'running',
    dueAtMs: 0,
    attempts: [],
    attempt: 1,
    fence: 1,
    failures: 0,
    takeovers: 0,
    ...fields,
  } as unknown as AnyExecution;
  const view = await executionView(execution, { secret: { get: async () => Buffer.alloc(32) } });
  return ExecutionView.parse(JSON.parse(JSON.stringify(view)));
}

test('a running errand is shown with its ARN, and its page in the console of AWS', async () => {
  expect(await viewOf(delegated())).toEqual({
    type: 'stepfunctions',
    state: 'watched',
    name: NAME,
    id: ARN,
    since: '1970-01-01T00:00:01.000Z',
    consoleUrl: `https://eu-central-1.console.aws.amazon.com/states/home?region=eu-central-1#/v2/executions/details/${ARN}`,
  });
});

test('what its service answers in place of how it is, is shown since when', async () => {
  const trouble = { error: 'AccessDenied', sinceMs: 60_000 };
  expect((await viewOf(delegated({ trouble })))?.trouble).toEqual({
    error: 'AccessDenied',
    since: '1970-01-01T00:01:00.000Z',
  });
});

test('in China, the console has another host', async () => {
  const resource = MACHINE.replace('arn:aws:', 'arn:aws-cn:').replace('eu-central-1', 'cn-north-1');
  expect((await viewOf(delegated({ resource })))?.consoleUrl).toMatch(
    /^https:\/\/cn-north-1\.console\.amazonaws\.cn\//,
  );
});

test.each([
  ['starting', { openErrand: 'qj-1a2b3c' }],
  ['starting', { openErrand: 'qj-1a2b3c', status: 'retrying' }],
  ['unresolved', delegated({ unresolved: true })],
  ['stopping', { ...delegated(), cancelRequested: { reason: 'cancelled-by-user', atMs: 5 } }],
  // It is no promise: it says how the execution ends then.
  // oxlint-disable-next-line unicorn/no-thenable
  ['stopping', delegated({ unresolved: true, endsAs: { status: 'cancelled' } })],
  ['lost', { openErrand: 'qj-1a2b3c', status: 'failed', reason: 'lost-sight' }],
])('%s: %j', async (state, fields) => {
  const view = await viewOf(fields);
  expect(view?.state).toBe(state);
  expect(view?.name).toMatch(/^qj-1a2b3c-[0-9a-f]{40}-0$/);
});

test('the name counts the errands that have ended', async () => {
  expect((await viewOf({ openErrand: 'qj-1a2b3c', errands: 2 }))?.name).toMatch(/-2$/);
});

test.each([{}, { errands: 1, status: 'succeeded' }, { delegatedTo: { sinceMs: 1, endsAtMs: 2 } }])(
  'there is none: %j',
  async (fields) => {
    expect(await viewOf(fields)).toBeUndefined();
  },
);

const HERE = (service: string) => `arn:aws:${service}:eu-central-1:111122223333`;
const CONSOLE = 'https://eu-central-1.console.aws.amazon.com';
const TASK = `${HERE('ecs')}:task/jobs/0a1b`;

test.each<[PastErrand, string | undefined]>([
  [
    { type: 'ecs', name: NAME, resource: `${HERE('ecs')}:task-definition/report`, id: TASK },
    `${CONSOLE}/ecs/v2/clusters/jobs/tasks/0a1b/logs?region=eu-central-1`,
  ],
  [
    {
      type: 'batch',
      name: NAME,
      resource: `${HERE('batch')}:job-definition/report`,
      id: '0a1b',
      logs: 'report/default/0a1b',
    },
    `${CONSOLE}/cloudwatch/home?region=eu-central-1#logsV2:log-groups/log-group/$252Faws$252Fbatch$252Fjob` +
      '/log-events/report$252Fdefault$252F0a1b',
  ],
  [{ type: 'batch', name: NAME, resource: `${HERE('batch')}:job-definition/report`, id: '0a1b' }, undefined],
  [
    { type: 'glue', name: NAME, resource: `${HERE('glue')}:job/etl`, id: 'jr_0a1b' },
    `${CONSOLE}/cloudwatch/home?region=eu-central-1#logsV2:log-groups/log-group/` +
      '$252Faws-glue$252Fjobs$252Foutput/log-events/jr_0a1b',
  ],
  [
    {
      type: 'codebuild',
      name: NAME,
      resource: `${HERE('codebuild')}:project/site`,
      id: 'site:0a1b',
      logs: `${CONSOLE}/cloudwatch/home?region=eu-central-1#logEvent:group=g;stream=s`,
    },
    `${CONSOLE}/cloudwatch/home?region=eu-central-1#logEvent:group=g;stream=s`,
  ],
  [
    { type: 'durable', name: NAME, resource: `${HERE('lambda')}:function:orders:live` },
    `${CONSOLE}/cloudwatch/home?region=eu-central-1#logsV2:log-groups/log-group/$252Faws$252Flambda$252Forders`,
  ],
  [{ type: 'stepfunctions', name: NAME, resource: MACHINE }, undefined],
])('an attempt that has ended links to what was done for it: %j', async (past, logsUrl) => {
  const attempt = { attempt: 1, fence: 1, startedAtMs: 0, finishedAtMs: 1, outcome: 'succeeded', target: 0 };
  const { attempts, errand: current } = await executionOf({
    status: 'succeeded',
    attempts: [{ ...attempt, errand: past }],
  });
  expect(current).toBeUndefined();
  expect(attempts[0]!.errand?.consoleUrl).toMatch(`${CONSOLE}/`);
  expect(attempts[0]!.errand?.logsUrl).toBe(logsUrl);
});
