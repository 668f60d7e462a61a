import { type ApiDescription, withDefaults } from '../../../../cli/schedules-as-code/definition';
import { openApiDocument } from '../../../../lambdas/core/http/openapi/document';

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

test('so has each of several', () => {
  expect(filled({ targets: [QUEUE, FUNCTION] }).targets).toEqual([QUEUE, { ...FUNCTION, mode: 'sync' }]);
});

test('the misfire policy goes by the schedule', () => {
  expect(filled({ target: QUEUE }).misfire).toMatchObject({ policy: 'fire-once' });
  expect(filled({ target: QUEUE, schedule: { type: 'delay', delay: '5s' } }).misfire).toMatchObject({
    policy: 'fire-now',
  });
});
