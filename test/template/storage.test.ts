import {
  EXECUTIONS_KEY,
  FAILURES_INDEX,
  FAILURES_KEY,
  JOBS_KEY,
  SCHEDULE_KEY,
  TTL_ATTRIBUTE,
} from '../../lambdas/core/contracts/tables';
import { LANES } from '../../lambdas/core/contracts/pools';
import { errandsOf } from '../../lib/constructs/watcher-function';
import { inEachDeployment } from './maximal';
import { ofType, type Resource, resourcesOf, targetOf } from './synth';

const DAY_SEC = 86_400;
const TABLES = ['TablesJobs313634AE', 'TablesExecutions3D4D6FCD', 'TablesSchedule9E6F03B7'];

inEachDeployment(({ config, resources }) => {
  const hasPool = config.issuer === undefined;
  /** With `retain`, a first deployment that fails leaves nothing behind. */
  const DeletionPolicy = config.removal === 'protect' ? 'Retain' : 'RetainExceptOnCreate';

  // If a logical id changes, CloudFormation replaces the table, pool or secret by an empty one.
  test.each([
    ...TABLES.map((id) => [id, 'AWS::DynamoDB::GlobalTable'] as const),
    ['SigningSecret63A7F3CE', 'AWS::SecretsManager::Secret'] as const,
    ...(hasPool ? [['IdentityUserPool96FE3B9B', 'AWS::Cognito::UserPool'] as const] : []),
  ])('%s keeps its logical id and is retained when the stack is deleted', (logicalId, type) => {
    const kept = { Type: type, DeletionPolicy, UpdateReplacePolicy: 'Retain' };
    expect(resources.get(logicalId)).toMatchObject(kept);
  });

  // Others refer to these by name: tokens to their audience, running attempts to their callback URL, rules to
  // their bus. Bus and domain also have fixed names, which a replacement cannot take while the original
  // exists.
  test.each([
    ['HttpApi4E1D4184', 'AWS::ApiGatewayV2::Api'] as const,
    ['LifecycleBus70076191', 'AWS::Events::EventBus'] as const,
    ...(hasPool
      ? [
          ['IdentityUserPoolClient486F4CC5', 'AWS::Cognito::UserPoolClient'] as const,
          ['IdentityUserPoolSignInAA76FDBF', 'AWS::Cognito::UserPoolDomain'] as const,
        ]
      : []),
  ])('%s keeps its logical id', (logicalId, type) => {
    expect(resources.get(logicalId)?.Type).toBe(type);
  });

  test('no other resource is retained', () => {
    const kept = [...resources].filter(([, one]) => one.DeletionPolicy?.startsWith('Retain'));
    // CloudFormation keeps versions of functions that an alias may still invoke.
    const stateful = kept.filter(([, { Type }]) => Type !== 'AWS::Lambda::Version');
    expect(stateful.map(([id]) => id)).toHaveLength(hasPool ? 5 : 4);
  });

  test.each([
    ['TablesJobs313634AE', JOBS_KEY],
    ['TablesExecutions3D4D6FCD', EXECUTIONS_KEY],
    ['TablesSchedule9E6F03B7', SCHEDULE_KEY],
  ])(
    '%s has the keys of the contract, its billing, point-in-time recovery and TTL',
    (logicalId, { partition, sort }) => {
      expect(resources.get(logicalId)?.Properties).toMatchObject({
        KeySchema: [
          { AttributeName: partition, KeyType: 'HASH' },
          { AttributeName: sort, KeyType: 'RANGE' },
        ],
        BillingMode: config.billing === 'provisioned' ? 'PROVISIONED' : 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: TTL_ATTRIBUTE, Enabled: true },
        Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
      });
    },
  );

  test('only provisioned tables have an alarm on throttled requests', () => {
    const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').filter(([id]) =>
      id.includes('TableThrottles'),
    );
    const watched = alarms.flatMap((alarm) => JSON.stringify(alarm).match(/(?:Read|Write)ThrottleEvents/g));
    expect(watched).toHaveLength(config.billing === 'provisioned' ? 8 : 0);
    // What an index throttles, the metrics of its table do not count.
    const ofIndex = JSON.stringify(alarms).split('"GlobalSecondaryIndexName"').length - 1;
    expect(ofIndex).toBe(config.billing === 'provisioned' ? 2 : 0);
  });

  test('failures have a sparse index that only the api may query', () => {
    expect(resources.get('TablesExecutions3D4D6FCD')?.Properties.GlobalSecondaryIndexes).toEqual([
      expect.objectContaining({
        IndexName: FAILURES_INDEX,
        KeySchema: [
          { AttributeName: FAILURES_KEY.partition, KeyType: 'HASH' },
          { AttributeName: FAILURES_KEY.sort, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      }),
    ]);
    const allowed = [...resources].filter(([, policy]) =>
      JSON.stringify(policy).includes(`/index/${FAILURES_INDEX}`),
    );
    expect(allowed.map(([id]) => id)).toEqual([expect.stringMatching(/^StagesApi/)]);
  });

  describe('queues', () => {
    const deadLettersOf = ({ Properties }: Resource) =>
      Properties.RedrivePolicy && targetOf(Properties.RedrivePolicy.deadLetterTargetArn);
    const queues = ofType(resources, 'AWS::SQS::Queue');
    const sources = queues.filter(([, queue]) => deadLettersOf(queue));

    test('one for each lane of each pool, one each for scans, sweeps and the watcher, and a dead-letter queue for each', () => {
      const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
      const ofPools = Object.keys(config.pools).flatMap((pool) =>
        LANES.map((lane) => `Executions${pool === 'default' ? '' : capital(pool)}${capital(lane)}`),
      );
      const watched = errandsOf(config).length > 0 ? ['Watch'] : [];
      const names = sources.map(([id]) => id.replace(/Queue\w{8}$/, ''));
      expect(names.toSorted()).toEqual([...ofPools, 'RequestsScan', 'RequestsSweep', ...watched].toSorted());
      expect(new Set(sources.map(([, queue]) => deadLettersOf(queue))).size).toBe(sources.length);
      const alone = queues.map(([id]) => id).filter((id) => /^(?:DeadEnds|Spans)/.test(id));
      expect(alone).toHaveLength((config.journal || config.otlp ? 1 : 0) + (config.otlp ? 1 : 0));
      expect(queues).toHaveLength(2 * sources.length + alone.length);
    });

    test.each(sources)('%s: five receives, then dead letters with a longer retention', (_id, queue) => {
      const deadLetters = resources.get(deadLettersOf(queue));
      expect(queue.Properties.RedrivePolicy.maxReceiveCount).toBe(5);
      expect(deadLetters?.Properties.MessageRetentionPeriod).toBe(14 * DAY_SEC);
      expect(queue.Properties.MessageRetentionPeriod).toBeLessThanOrEqual(4 * DAY_SEC);
      // All five receives must fit in. Otherwise a message that always fails would expire without a trace.
      expect(queue.Properties.MessageRetentionPeriod).toBeGreaterThan(5 * queue.Properties.VisibilityTimeout);
    });

    test.each(queues)('%s is encrypted and denies unencrypted connections', (id, { Properties }) => {
      expect(Properties.SqsManagedSseEnabled).toBe(true);
      const policies = ofType(resources, 'AWS::SQS::QueuePolicy').filter(([, policy]) =>
        (policy.Properties.Queues as unknown[]).some((queue) => targetOf(queue) === id),
      );
      expect(policies.map(([, policy]) => policy.Properties.PolicyDocument.Statement)).toEqual([
        [
          expect.objectContaining({
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Resource: '*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
          ...(id.startsWith('Watch') ? [expect.objectContaining({ Effect: 'Allow' })] : []),
        ],
      ]);
    });
  });
});

describe('tables', () => {
  test('provisioned tables scale between their bounds, and the indexes with them', () => {
    const units = (min: number, max: number) => ({ read: { min, max }, write: { min: min * 2, max } });
    const capacity = { jobs: units(5, 100), executions: units(10, 400), schedule: units(20, 800) };
    const tables = resourcesOf({ billing: 'provisioned', capacity });
    const scaling = (MinCapacity: number, MaxCapacity: number) => ({
      MinCapacity,
      MaxCapacity,
      TargetTrackingScalingPolicyConfiguration: { TargetValue: 80 },
    });
    for (const [id, min, max] of [
      ['TablesJobs313634AE', 5, 100],
      ['TablesExecutions3D4D6FCD', 10, 400],
      ['TablesSchedule9E6F03B7', 20, 800],
    ] as const)
      expect(tables.get(id)?.Properties).toMatchObject({
        BillingMode: 'PROVISIONED',
        WriteProvisionedThroughputSettings: {
          WriteCapacityAutoScalingSettings: scaling(min * 2, max),
        },
        Replicas: [
          {
            ReadProvisionedThroughputSettings: { ReadCapacityAutoScalingSettings: scaling(min, max) },
          },
        ],
      });
    expect(tables.get('TablesExecutions3D4D6FCD')?.Properties.GlobalSecondaryIndexes).toEqual([
      expect.objectContaining({
        WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: scaling(20, 400) },
      }),
    ]);
  });

  test('prod protects its tables from deletion', () => {
    const tables = ofType(resourcesOf({ stage: 'prod' }), 'AWS::DynamoDB::GlobalTable');
    expect(tables).toHaveLength(3);
    for (const [, { Properties, DeletionPolicy }] of tables) {
      expect(DeletionPolicy).toBe('Retain');
      expect(Properties.Replicas).toEqual([expect.objectContaining({ DeletionProtectionEnabled: true })]);
    }
  });

  test('a stage with removal "destroy" retains nothing', () => {
    const kept = [...resourcesOf({ removal: 'destroy' }).values()].filter((one) =>
      one.DeletionPolicy?.startsWith('Retain'),
    );
    expect(kept).toEqual([]);
  });
});
