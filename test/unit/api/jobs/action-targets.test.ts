import { aBody, ApiWorld } from '../world';

/* What a target of type `aws` may be is checked when its job is saved: not in the first night. */

const PUT = {
  type: 'aws',
  action: 'kinesis:PutRecord',
  input: { StreamName: 'target-orders', PartitionKey: 'a', Data: 'x' },
};
const RUN = {
  type: 'aws',
  action: 'emrserverless:StartJobRun',
  input: { applicationId: '1', executionRoleArn: 'arn:aws:iam::111122223333:role/target-etl' },
};
const created = (target: object, fields: object = {}) =>
  new ApiWorld().call('POST /v1/jobs', {}, { ...aBody(), target, ...fields });

test.each([PUT, RUN, { ...PUT, region: 'us-west-2' }])('%j is stored as it is given', async (target) => {
  const { status, body } = await created(target);
  expect([status, body.target]).toEqual([201, target]);
});

const templated = {
  ...PUT,
  input: { ...PUT.input, PartitionKey: '{{ run.id }}', Data: '{{ payload | json }}' },
};

test('its texts may have templates, which may name the payload', async () => {
  expect(await created(templated, { templates: true })).toMatchObject({ status: 201 });
});

test('a task may have one, with what other tasks have returned', async () => {
  const tasks = {
    count: { target: { type: 'http', url: 'https://example.com/count' } },
    put: {
      dependsOn: ['count'],
      target: { ...PUT, input: { ...PUT.input, Data: '{{ tasks.count.output.rows }}' } },
    },
  };
  const { target: _, ...body } = aBody();
  const { status, body: made } = await new ApiWorld().call(
    'POST /v1/jobs',
    {},
    { ...body, workflow: { tasks } },
  );
  expect([status, made.errors]).toEqual([201, undefined]);
});

test.each<[string, object, object, string, RegExp]>([
  ['a malformed action', { ...PUT, action: 'kinesis' }, {}, 'target.action', /such as "kinesis:PutRecord"/],
  [
    'an action that is nearly allowed',
    { ...PUT, action: 'kinesis:putRecord' },
    {},
    'target.action',
    /must be a service and an operation/,
  ],
  [
    'an action that is not allowed',
    { ...PUT, action: 'kinesis:DeleteStream' },
    {},
    'target.action',
    /is not among the actions that this deployment allows: its operator can add it to allowedActions/,
  ],
  [
    'a slip in its name',
    { ...PUT, action: 'kinesis:PutRecords' },
    {},
    'target.action',
    /did you mean "kinesis:PutRecord"\?/,
  ],
  ['a missing member', { ...PUT, input: { StreamName: 's' } }, {}, 'target.input.Data', /is missing/],
  [
    'an unknown member',
    { ...PUT, input: { ...PUT.input, Stream: 's' } },
    {},
    'target.input.Stream',
    /is not known to the action/,
  ],
  [
    'another type',
    { ...PUT, input: { ...PUT.input, Data: 7 } },
    {},
    'target.input.Data',
    /must be a text, or bytes/,
  ],
  [
    'a role that must not be passed on',
    { ...RUN, input: { ...RUN.input, executionRoleArn: 'arn:aws:iam::111122223333:role/admin' } },
    {},
    'target.input.executionRoleArn',
    /must not be passed on: the operator of this deployment can add it to passRoles/,
  ],
  [
    'a secret',
    { ...PUT, input: { ...PUT.input, Data: '{{ secrets.key }}' } },
    { templates: true },
    'target.input',
    /must not name a secret/,
  ],
  [
    'a root that there is not',
    { ...PUT, input: { ...PUT.input, Data: '{{ tasks.a.output }}' } },
    { templates: true },
    'target.input.Data',
    /there is no "tasks"/,
  ],
  [
    'an input that is too large',
    { ...PUT, input: { ...PUT.input, Data: 'x'.repeat(66_000) } },
    {},
    'target.input',
    /at most 65536 bytes/,
  ],
  ['a place that is none', { ...PUT, region: 'x.evil' }, {}, 'target.region', /must be a region/],
  ['a timeout of an hour', PUT, { timeout: '1h' }, 'timeout', /from 1s to 14m/],
])('a job with %s is rejected', async (_, target, fields, path, message) => {
  const { status, body } = await created(target, fields);
  expect(status).toBe(400);
  expect(body.errors).toContainEqual({ path, message: expect.stringMatching(message) });
});

test.each(['targets', 'onEnd'])('it is none of %s', async (field) => {
  const given = field === 'targets' ? { target: undefined, targets: [PUT] } : { onEnd: { failed: PUT } };
  const { status, body } = await created({ type: 'http', url: 'https://example.com/' }, given);
  expect([status, JSON.stringify(body.errors)]).toEqual([400, expect.stringMatching(/must be \\"http\\"/)]);
});
