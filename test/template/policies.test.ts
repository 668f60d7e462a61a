import { resourcesOfSize, SIZES } from './maximal';
import { listOf, type Statement } from './statements';
import { functionOf, ofType, resourcesOf, targetOf } from './synth';

/** Actions without resource-level permissions, with their purpose. All others must name their resources. */
const WITHOUT_RESOURCE = new Map([
  ['ecs:ListTasks', 'tasks whose start got no answer; a condition binds it to clusters'],
  ['ec2:DescribeNetworkInterfaces', 'Lambda connects functions to a VPC'],
  ['ec2:DescribeSubnets', 'Lambda connects functions to a VPC'],
  ['batch:DescribeJobs', 'Batch lets no resource be named'],
  ['batch:ListJobs', 'Batch lets no resource be named'],
  ['cloudwatch:GetMetricData', 'how old the messages of queues are'],
  ['sns:GetSubscriptionAttributes', 'for which project an address is subscribed'],
  ['sns:Unsubscribe', 'to end the subscription of an address that no notification names'],
  ['xray:PutTelemetryRecords', 'tracing'],
  ['xray:PutTraceSegments', 'tracing'],
]);

const DEPLOYMENTS = [
  ...['dev', 'prod', 'local'].map((stage) => [`${stage} stage`, () => resourcesOf({ stage })] as const),
  ...SIZES.map(([name, config]) => [`${name} deployment`, () => resourcesOfSize(config)] as const),
];

describe.each(DEPLOYMENTS)('in the %s', (_name, made) => {
  const resources = made();
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
    // CodeDeploy's roles have a policy of AWS instead.
    const own = ofType(resources, 'AWS::IAM::Role').filter(([, one]) => !one.Properties.ManagedPolicyArns);
    expect(ofRoles.length).toBeGreaterThanOrEqual(own.length);
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

  test('a list of tasks is bound to clusters', () => {
    const lists = ofRoles
      .flatMap(([, statements]) => statements)
      .filter(({ Action }) => listOf(Action).includes('ecs:ListTasks'));
    const unbound = lists.filter(({ Condition }) => Condition?.ArnLike?.['ecs:cluster'] === undefined);
    expect(unbound).toEqual([]);
  });

  test.each([
    ['states:StartExecution', 'states:StopExecution'],
    ['ecs:RunTask', 'ecs:StopTask'],
    ['batch:SubmitJob', 'batch:TerminateJob'],
    ['glue:StartJobRun', 'glue:BatchStopJobRun'],
    ['codebuild:StartBuild', 'codebuild:StopBuild'],
  ])('no role has both %s and %s', (start, stop) => {
    const both = ofRoles.filter(([, statements]) => {
      const actions = statements.flatMap(({ Action }) => listOf(Action));
      return actions.includes(start) && actions.includes(stop);
    });
    expect(both.map(([id]) => id)).toEqual([]);
  });

  test('every function and every schedule has its own role, which all executors share', () => {
    const isOther = (id: string) => /^StagesLongExecutor|^StagesExecutor(?!Function)/.test(id);
    const others = ofType(resources, 'AWS::Lambda::Function').filter(([id]) => isOther(id));
    expect(others.length).toBeGreaterThan(0);
    for (const [, { Properties }] of others)
      expect(Properties.Role).toEqual(functionOf(resources, 'executor')[1].Properties.Role);
    const roles = [
      ...ofType(resources, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) =>
        isOther(id) ? [] : [Properties.Role],
      ),
      ...ofType(resources, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties.Target.RoleArn),
    ].map(targetOf);
    expect(new Set(roles).size).toBe(roles.length);
    // With a gradual takeover, CodeDeploy has a role too.
    const all = ofType(resources, 'AWS::IAM::Role').filter(([id]) => !id.includes('ExecutorShift'));
    expect(all.map(([id]) => id).toSorted()).toEqual(roles.toSorted());
  });

  test('all logs expire', () => {
    const groups = ofType(resources, 'AWS::Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(6);
    for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBeGreaterThan(0);
  });
});
