import { SETTINGS } from '../../lambdas/core/contracts/env';
import { MEMORY_MB } from '../../bench/cost/bill';
import { longestOf } from '../../lib/limits/longest';
import { SCHEMAS } from './env-schemas';
import { inEachDeployment } from './maximal';
import { listOf, referencesIn, statementsOf } from './statements';
import { functionOf, ofType, resourcesOf, type Stage, STAGES, targetOf, variablesOf } from './synth';

const resources = resourcesOf();

/** What is wrong with the variables of a function: those that it does not read, and its own complaints. */
function unreadOrMissing(of: typeof resources, stage: Stage): unknown[] {
  const [, deployed] = functionOf(of, stage);
  const { shape } = SCHEMAS[stage];
  const { SETTINGS_FILE: _path, ...environment } = deployed.Properties.Environment.Variables;
  const unread = Object.keys(environment).filter((name) => !(name in shape) || name in SETTINGS);
  const within = { stackName: 'Quarterjack-dev', resources: of };
  const parsed = SCHEMAS[stage].safeParse(longestOf(variablesOf(of, deployed), within));
  return [...unread, ...(parsed.error?.issues ?? [])];
}

inEachDeployment(({ config, resources }) => {
  const arns = Object.values(config.allowedTargetArns ?? {}).flat();
  arns.push(...arns.map((arn) => `${arn.replace(':cluster/', ':task/')}/*`)); // tags of tasks

  test('every function logs JSON, and of what Lambda itself records only what went wrong', () => {
    for (const [id, { Properties }] of ofType(resources, 'AWS::Lambda::Function'))
      expect([id, Properties.LoggingConfig]).toEqual([
        id,
        expect.objectContaining({ LogFormat: 'JSON', SystemLogLevel: 'WARN' }),
      ]);
  });

  describe.each(STAGES)('the %s function', (stage) => {
    const [, { Properties }] = functionOf(resources, stage);

    test('has the memory size that the cost benchmark assumes', () => {
      expect(Properties.MemorySize).toBe(MEMORY_MB[stage]);
    });

    test('runs on Node.js 24 and arm64, with logs that expire', () => {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
      const logGroup = resources.get(targetOf(Properties.LoggingConfig.LogGroup));
      expect(logGroup?.Properties.RetentionInDays).toBe(config.logRetentionDays);
    });

    test('has exactly the environment variables that it reads', () => {
      expect(unreadOrMissing(resources, stage)).toEqual([]);
    });

    test('has its own role, which only Lambda can assume', () => {
      const roleId = targetOf(Properties.Role);
      const users = STAGES.filter(
        (other) => targetOf(functionOf(resources, other)[1].Properties.Role) === roleId,
      );
      expect(users).toEqual([stage]);
      const role = resources.get(roleId)?.Properties;
      expect(role?.AssumeRolePolicyDocument.Statement).toEqual([
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
      expect(role).not.toHaveProperty('ManagedPolicyArns');
    });

    test('is permitted only literal actions, on literal resources and on queues of the deployment', () => {
      const wide = statementsOf(resources, targetOf(Properties.Role)).flatMap(({ Action, Resource }) =>
        [...listOf(Action), ...listOf(Resource)].filter((one) => JSON.stringify(one).includes('*')),
      );
      const ofQueues = new RegExp(
        `:sqs:.*:Quarterjack-${config.stage}-(?:${[...Object.keys(config.pools), 'dead'].join('|')})-\\*"`,
      );
      const queues = wide.filter((one) => ofQueues.test(JSON.stringify(one)));
      // Patterns of targets are the operator's, and traces have no resource.
      const others = wide.filter((one) => !queues.includes(one) && !arns.some((arn) => arn === one));
      expect(new Set(others)).toEqual(new Set(stage === 'api' || config.tracing ? ['*'] : []));
      const dead = queues.filter((one) => JSON.stringify(one).includes('-dead-'));
      expect(dead.length > 0).toBe(stage === 'api'); // it alone shows dead letters and moves them back
    });

    test('names in its environment exactly the tables, queues and secrets that it may use', () => {
      // These need no permission: what others get to see or call, and what tokens say and come from.
      const {
        CALLBACK_URL: _callback,
        CONSOLE_URL: _console,
        API_URL: _api,
        MONITORS_URL: _monitors,
        ISSUER: _issuer,
        AUDIENCE: _audience,
        SIGN_IN: _signIn,
        DASHBOARD: _dashboard,
        API_HOST: _host,
        EXECUTION_QUEUES: _byPattern,
        MACHINE_CLIENT_IDS: _clients,
        EVENT_BUS: bus,
        ...variables
      } = Properties.Environment.Variables;
      const named = referencesIn(config.lifecycleEvents === 'off' ? variables : { ...variables, bus });
      const used = statementsOf(resources, targetOf(Properties.Role))
        .filter(({ Action }) =>
          listOf(Action).some((one) =>
            /^(dynamodb:|secretsmanager:|sqs:SendMessage$|lambda:InvokeFunction$|events:|sns:)/.test(one),
          ),
        )
        .flatMap(({ Resource }) => referencesIn(Resource).filter((id) => !id.startsWith('AWS::')));
      expect(new Set(named)).toEqual(new Set(used));
    });
  });
});

describe('the executor', () => {
  const [executorId, { Properties }] = functionOf(resources, 'executor');
  test('gives targets the URL of this API for their reports', () => {
    const [[apiId] = []] = ofType(resources, 'AWS::ApiGatewayV2::Api');
    const endpoint = { 'Fn::GetAtt': [apiId, 'ApiEndpoint'] };
    expect(Properties.Environment.Variables.CALLBACK_URL).toEqual({
      'Fn::Join': ['', [endpoint, '/v1/attempts']],
    });
  });

  const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping').filter(
    ([, mapping]) => targetOf(mapping.Properties.FunctionName) === executorId,
  );

  test('alone may send to the queue that invokes it', () => {
    expect(Properties.RecursiveLoop).toBe('Allow');
    for (const stage of STAGES.filter((one) => one !== 'executor'))
      expect(functionOf(resources, stage)[1].Properties).not.toHaveProperty('RecursiveLoop');
  });

  test('has more concurrency for higher priorities', () => {
    const concurrency = ['Highest', 'High', 'Medium', 'Low', 'Lowest'].map((priority) => {
      const mapping = mappings.find(([, one]) =>
        targetOf(one.Properties.EventSourceArn).startsWith(`Executions${priority}Queue`),
      );
      return mapping?.[1].Properties.ScalingConfig.MaximumConcurrency;
    });
    expect(concurrency).toEqual(concurrency.toSorted((a, b) => b - a));
    expect(concurrency[0]).toBeGreaterThan(concurrency[4]);
  });
});

describe('the executor of long calls', () => {
  const of = (own: typeof resources) => functionOf(own, 'longExecutor')[1].Properties;

  test('differs from the executor in its description and its log alone', () => {
    const { Description, LoggingConfig: _log, ...others } = of(resources);
    const { LoggingConfig: _other, ...executor } = functionOf(resources, 'executor')[1].Properties;
    expect({ Description, ...others }).toEqual({ ...executor, Description });
    expect(Description).toBe(`${executor.Description}; long calls`);
  });

  test('is traced if the executor is', () => {
    expect(of(resourcesOf({ tracing: 'true' })).TracingConfig).toEqual({ Mode: 'Active' });
  });
});

test('the functions that call or accept targets get the allowed hosts of the configuration, and the own one', () => {
  const own = resourcesOf({ allowedTargetHosts: ['example.com', '*.example.org'] });
  for (const stage of ['api', 'executor'] as const) {
    const { TARGET_HOSTS, API_HOST } = variablesOf(own, functionOf(own, stage)[1]);
    expect(JSON.parse(TARGET_HOSTS)).toEqual(['example.com', '*.example.org']);
    expect(referencesIn(API_HOST).map((id) => own.get(id)?.Type)).toEqual(['AWS::ApiGatewayV2::Api']);
    expect(variablesOf(resources, functionOf(resources, stage)[1]).TARGET_HOSTS).toBe('[]');
  }
});

test('the functions that sign or show secrets know whether legacy secrets sign', () => {
  const own = resourcesOf({ signing: { legacy: false } });
  for (const stage of ['api', 'executor'] as const) {
    const legacyIn = (of: typeof own) =>
      functionOf(of, stage)[1].Properties.Environment.Variables.SIGNING_LEGACY;
    expect([legacyIn(own), legacyIn(resources)]).toEqual(['off', 'on']);
  }
});

describe('AWS resources as targets', () => {
  const arns = [
    'arn:aws:lambda:eu-central-1:111122223333:function:billing-*',
    'arn:aws:sqs:eu-central-1:111122223333:billing',
    'arn:aws:states:eu-central-1:111122223333:stateMachine:billing',
    'arn:aws:lambda:us-east-1:111122223333:function:report',
  ];
  /** Permissions on literal ARNs; the stack's own resources appear as references instead. */
  const deliveriesOf = (own: ReturnType<typeof resourcesOf>, stage: Stage) =>
    statementsOf(own, targetOf(functionOf(own, stage)[1].Properties.Role)).flatMap(({ Action, Resource }) =>
      listOf(Resource)
        .filter((resource) => typeof resource === 'string' && resource !== '*')
        .map((resource) => [listOf(Action).join(), resource]),
    );

  test('without configured ARNs, the executor may deliver to none', () => {
    expect(deliveriesOf(resources, 'executor')).toEqual([]);
    for (const stage of ['api', 'executor'] as const)
      expect(JSON.parse(variablesOf(resources, functionOf(resources, stage)[1]).TARGET_ARNS)).toEqual({
        '*': [],
      });
  });

  test('only the executor may deliver to the configured ARNs, each by a single action', () => {
    const own = resourcesOf({ allowedTargetArns: arns });
    expect(new Set(deliveriesOf(own, 'executor'))).toEqual(
      new Set([
        ['lambda:InvokeFunction', arns[0]],
        ['lambda:InvokeFunction', arns[3]],
        ['sqs:SendMessage', arns[1]],
        ['states:StartExecution', arns[2]],
      ]),
    );
    for (const stage of STAGES.filter((one) => one !== 'executor'))
      expect(deliveriesOf(own, stage)).toEqual([]);
    for (const stage of ['api', 'executor'] as const)
      expect(JSON.parse(variablesOf(own, functionOf(own, stage)[1]).TARGET_ARNS)).toEqual({ '*': arns });
  });
});

describe('roles for targets', () => {
  const role = (name: string) => `arn:aws:iam::111122223333:role/${name}`;
  const queue = (name: string) => `arn:aws:sqs:eu-central-1:111122223333:${name}`;
  const allowedTargetArns = { billing: [queue('billing')], crm: [queue('crm')], '*': [queue('shared')] };
  const grantsOf = (context: object) => {
    const own = resourcesOf({ allowedTargetArns, ...context });
    const ofExecutor = statementsOf(own, targetOf(functionOf(own, 'executor')[1].Properties.Role));
    const of = (action: string) =>
      ofExecutor
        .filter(({ Action }) => listOf(Action).includes(action))
        .flatMap(({ Resource }) => listOf(Resource));
    const variables = variablesOf(own, functionOf(own, 'executor')[1]);
    return {
      assumes: of('sts:AssumeRole'),
      sends: of('sqs:SendMessage').filter((one) => String(one).startsWith('arn:aws:sqs:eu-central-1:1111')),
      roles: JSON.parse(variables.TARGET_ROLES) as unknown,
      arns: JSON.parse(variables.TARGET_ARNS) as unknown,
    };
  };

  test('without them, the executor assumes none, and its own role has the ARNs of all projects', () => {
    expect(grantsOf({})).toEqual({
      assumes: [],
      sends: [queue('billing'), queue('crm'), queue('shared')],
      roles: {},
      arns: allowedTargetArns,
    });
  });

  test('a project with a role is called under it alone', () => {
    const assumeRole = { billing: { roleArn: role('billing'), externalId: 'x1' } };
    expect(grantsOf({ assumeRole })).toMatchObject({
      assumes: [role('billing')],
      sends: [queue('crm'), queue('shared')],
      roles: assumeRole,
    });
  });

  test('with a role for all projects, the own role of the executor may deliver nothing', () => {
    expect(grantsOf({ assumeRole: { roleArn: role('targets') } })).toMatchObject({
      assumes: [role('targets')],
      sends: [],
      roles: { '*': { roleArn: role('targets'), externalId: 'quarterjack/{project}' } },
    });
  });

  test('no other function may assume them', () => {
    const own = resourcesOf({ allowedTargetArns, assumeRole: { roleArn: role('targets') } });
    for (const stage of STAGES.filter((one) => one !== 'executor'))
      expect(
        JSON.stringify(statementsOf(own, targetOf(functionOf(own, stage)[1].Properties.Role))),
      ).not.toContain(role('targets'));
  });
});

test('functions get the shard count of the configuration', () => {
  const { Variables } = functionOf(resourcesOf({ shardCount: '32' }), 'tick')[1].Properties.Environment;
  expect(Variables.SHARD_COUNT).toBe('32');
});
