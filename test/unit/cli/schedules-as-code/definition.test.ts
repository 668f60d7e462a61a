import {
  type ApiDescription,
  DEFINITION_FIELDS,
  withDefaults,
} from '../../../../cli/schedules-as-code/definition';
import { defaultMaxAge } from '../../../../lambdas/api/jobs/definition';
import { openApiDocument } from '../../../../lambdas/core/http/openapi/document';
import { Session } from '../terminal-session';

const API = openApiDocument() as ApiDescription;
const filled = (more: object) => withDefaults({ schedule: 'rate(5 minutes)', ...more }, API);
const QUEUE = { type: 'sqs', queueUrl: 'https://sqs.us-east-1.amazonaws.com/111122223333/orders' };
const FUNCTION = {
  type: 'lambda',
  functionArn: 'arn:aws:lambda:us-east-1:111122223333:function:report',
};

test('a target has the defaults of its own kind, and no others', () => {
  expect(filled({ target: QUEUE }).target).toEqual(QUEUE);
  expect(filled({ target: FUNCTION }).target).toEqual({ ...FUNCTION, mode: 'sync' });
  expect(filled({ target: { type: 'http', url: 'https://example.com' } }).target).toEqual({
    type: 'http',
    url: 'https://example.com',
    method: 'POST',
    headers: {},
    timeout: '30s',
    mode: 'sync',
  });
});

test('each of several targets has the defaults of its own kind', () => {
  expect(filled({ targets: [QUEUE, FUNCTION] }).targets).toEqual([QUEUE, { ...FUNCTION, mode: 'sync' }]);
});

test('a retry policy is filled in as the API stores it', async () => {
  const target = { type: 'http', url: 'https://example.com' };
  const given = [{}, { retry: { on: [409], jitter: 'none' } }, { retry: { on: [] } }];
  const session = new Session();
  for (const retry of given) {
    const stdin = JSON.stringify({ schedule: 'rate(5 minutes)', target, ...retry });
    await session.run('jobs create a --file -', { stdin });
    expect(filled({ target, ...retry }).retry).toEqual((await session.json('jobs get a')).retry);
    await session.run('jobs delete a --yes');
  }
  session.end();
});

test.each([undefined, '90m', '366d'])(
  'work that is waited for has the age of the API, timeout %s',
  (timeout) => {
    const wait = { type: 'stepfunctions', stateMachineArn: 'arn:aws:states:::nightly', wait: true } as const;
    const durable = { ...FUNCTION, type: 'lambda', durable: true, mode: 'async' } as const;
    for (const target of [wait, durable])
      expect(filled({ target, timeout }).retry).toMatchObject({
        maxAge: defaultMaxAge({ target, timeout: timeout ?? '5m' }),
      });
  },
);

test('the default misfire policy depends on the kind of schedule', () => {
  expect(filled({ target: QUEUE }).misfire).toMatchObject({ policy: 'fire-once' });
  expect(filled({ target: QUEUE, schedule: { type: 'delay', delay: '5s' } }).misfire).toMatchObject({
    policy: 'fire-now',
  });
});

test('the fields of a definition are those of the OpenAPI document', () => {
  const { properties = {} } = API.components.schemas.JobDefinition ?? {};
  expect(DEFINITION_FIELDS).toEqual(Object.keys(properties).filter((name) => name !== 'jobId'));
});

test.each([
  'rate(5 minutes)',
  'cron(0 9 * * ? *)',
  'at(2027-12-01T09:00:00)',
  { type: 'cron', expression: '0 9 * * *' },
  { type: 'interval', every: '5m' },
  { type: 'delay', delay: '5m' },
  { type: 'at', at: '2027-12-01T09:00:00Z' },
])('the default misfire of %j is what the API stores', async (schedule) => {
  const target = { type: 'http', url: 'https://example.com' };
  const session = new Session();
  await session.run('jobs create a --file -', { stdin: JSON.stringify({ schedule, target }) });
  expect(filled({ schedule, target }).misfire).toEqual((await session.json('jobs get a')).misfire);
  session.end();
});
