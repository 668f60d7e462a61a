import { attributesOf, fifoFieldsOf } from '../../../../../lambdas/core/delivery/call/message';

const deliveryOf = (project: string, jobId: string) => ({
  project,
  body: Buffer.from(''),
  headers: { 'webhook-id': 'f00d', 'quarterjack-job': jobId },
});
const groupOf = (project: string, jobId = 'report') =>
  fifoFieldsOf('queue.fifo', deliveryOf(project, jobId)).MessageGroupId!;

const LONG = 'x'.repeat(400);

test.each(['a/b', 'ä b', "auth0|x!~*'()", LONG, 'y'.repeat(63), '%%', '\u0000\n'])(
  'a group of project %j has characters and a length that SQS and SNS allow',
  (project) => {
    const group = groupOf(project, 'j'.repeat(64));
    expect(group).toMatch(/^[\u0021-\u007e]{1,128}$/);
    expect(group.split('/')).toHaveLength(2);
  },
);

test('no two jobs share a group, whatever their projects are named', () => {
  const [hash = ''] = groupOf(LONG).split('/');
  const projects = [LONG, `${LONG}y`, hash, hash.slice(1), '%%', '%', 'a/b', 'a%2Fb', 'a', 'A', 'a/report'];
  const groups = projects.flatMap((project) => ['report', 'b'].map((jobId) => groupOf(project, jobId)));
  expect(new Set(groups).size).toBe(projects.length * 2);
});

test('a standard queue has no group', () => {
  expect(fifoFieldsOf('queue', deliveryOf('billing', 'report'))).toEqual({});
});

test('the project is an attribute in characters that every service takes', () => {
  expect(Object.fromEntries(attributesOf(deliveryOf('auth0|\u0001', 'report')))).toMatchObject({
    'quarterjack-project': 'auth0%7C%01',
    'quarterjack-job': 'report',
  });
});
