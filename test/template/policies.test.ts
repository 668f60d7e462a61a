import { listOf, type Statement } from './statements';
import { functionOf, ofType, resourcesOf, targetOf } from './synth';

/** Actions without resource-level permissions, with their purpose. All others must name their resources. */
const WITHOUT_RESOURCE = new Map([
  ['cloudwatch:GetMetricData', 'how old the messages of queues are'],
  ['xray:PutTelemetryRecords', 'tracing'],
  ['xray:PutTraceSegments', 'tracing'],
]);

describe.each(['dev', 'prod', 'local'])('in the %s stage', (stage) => {
  const resources = resourcesOf({ stage });
  const ofRoles: [id: string, statements: Statement[]][] = [
    ...ofType(resources, 'AWS::IAM::Policy').map(([id, { Properties }]): [string, Statement[]] => [
      id,
      Properties.PolicyDocument.Statement,
    ]),
    ...ofType(resources, 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
      (Properties.Policies ?? []).map(({ PolicyDocument }: any): [string, Statement[]] => [
        id,
        PolicyDocument.Statement,
      ]),
    ),
  ];

  test('every role has statements, and only of effect Allow', () => {
    expect(ofRoles.length).toBeGreaterThanOrEqual(ofType(resources, 'AWS::IAM::Role').length);
    for (const [, statements] of ofRoles) for (const { Effect } of statements) expect(Effect).toBe('Allow');
  });

  test.each(ofRoles)('%s has no wildcard in an action', (_, statements) => {
    const actions = statements.flatMap(({ Action }) => listOf(Action));
    expect(actions.filter((action) => !/^[a-z0-9-]+:[A-Za-z]+$/.test(action))).toEqual([]);
  });

  test.each(ofRoles)('%s names the resources of each action', (_, statements) => {
    const wide = statements.filter(({ Resource }) => listOf(Resource).some((one) => one === '*'));
    const actions = wide.flatMap(({ Action }) => listOf(Action));
    expect(actions.filter((action) => !WITHOUT_RESOURCE.has(action))).toEqual([]);
  });

  test('every function and every schedule has its own role, which both executors share', () => {
    const [longId, long] = functionOf(resources, 'longExecutor');
    expect(long.Properties.Role).toEqual(functionOf(resources, 'executor')[1].Properties.Role);
    const roles = [
      ...ofType(resources, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) =>
        id === longId ? [] : [Properties.Role],
      ),
      ...ofType(resources, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties.Target.RoleArn),
    ].map(targetOf);
    expect(new Set(roles).size).toBe(roles.length);
    expect(
      ofType(resources, 'AWS::IAM::Role')
        .map(([id]) => id)
        .toSorted(),
    ).toEqual(roles.toSorted());
  });

  test('all logs expire', () => {
    const groups = ofType(resources, 'AWS::Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(6);
    for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBeGreaterThan(0);
  });
});
