import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { FollowerEnv } from '../../lambdas/core/contracts/env';
import { TERMINAL_STATUSES } from '../../lambdas/core/contracts/execution-statuses';
import { ENDS } from '../../lambdas/core/contracts/journal-keys';
import { LABELS } from '../../lambdas/core/contracts/label-keys';
import { Metric } from '../../lambdas/core/contracts/metrics';
import { exportSettingsOf } from '../config/history-export';
import type { StageConfig } from '../config/stage-config';
import type { AlarmSpecs } from './alarm-spec';
import { bind, type Binding, settings } from './binding';
import { deploymentOf } from './deployment-name';
import type { SpansQueue } from './exporter-function';
import type { JobTables } from './job-tables';
import { PERIOD, stageMetric, visibleMessages } from './metrics';
import { type FunctionDefaults, PipelineFunction } from './pipeline-function';
import type { SigningSecret } from './signing-secret';
import type { settingsOf } from './stage-settings';
import { DEAD, refusePlainRequestsTo } from './work-queue';

/** An hour before DynamoDB drops a record. */
const MAX_RECORD_AGE = Duration.hours(23);
const LAG_LIMIT = Duration.hours(1);

/**
 * The queue with the positions of stream records that the follower could not handle in time. DynamoDB keeps
 * the records themselves for another hour.
 */
export class DeadEnds extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      queueName: `${deploymentOf(this)}-${DEAD}-ends`,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue of a stream, and nothing consumes it.',
    });
    refusePlainRequestsTo(this, [this.queue]);
  }

  sending(): Binding<never> {
    const { queueArn } = this.queue;
    return {
      env: {},
      statements: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] })],
    };
  }
}

interface FollowerProps {
  readonly config: StageConfig;
  readonly defaults: FunctionDefaults;
  readonly tables: JobTables;
  readonly signingSecret: SigningSecret;
}

/** What makes spans, beside the secret from which their ids follow: jobs and runs say what was called. */
const makingSpans = (spans: SpansQueue, { tables }: FollowerProps) =>
  bind(
    tables.jobs.calls('BatchGetItem'),
    tables.executions.calls('BatchGetItem', 'GetItem'),
    spans.sending(),
  );

const NO_SPANS = settings({ JOBS_TABLE: '', SPANS_QUEUE_URL: '' });
const NO_IDS = settings({ SIGNING_SECRET_ARN: '' });

/** Objects of the operator's bucket, below the prefix alone. */
const exporting = (scope: Construct, { bucket, prefix }: NonNullable<StageConfig['historyExport']>) =>
  new PolicyStatement({
    actions: ['s3:PutObject'],
    resources: [
      Stack.of(scope).formatArn({
        ...{ service: 's3', region: '', account: '' },
        resource: bucket,
        resourceName: `${prefix}ends/*`,
      }),
    ],
  });

/**
 * The function that reads the stream of Executions. It may write the journal of ends, by what executions are
 * found, and objects of the export. It may send spans, and change nothing else.
 */
export function addFollowerFunction(
  scope: Construct,
  { deadEnds, spans }: { deadEnds: DeadEnds; spans: SpansQueue | undefined },
  props: FollowerProps,
  { dispatch }: Pick<ReturnType<typeof settingsOf>, 'dispatch'>,
): PipelineFunction {
  const { config, defaults, tables, signingSecret } = props;
  const { historyExport: to } = config;
  const { RETENTION_DAYS } = dispatch.env;
  const follower = new PipelineFunction(scope, 'Follower', {
    ...defaults,
    stage: 'follower',
    description: 'Keeps the journal of ends, exports them and makes spans, by the stream of executions',
    timeout: Duration.minutes(1),
    memoryMb: 256,
    env: FollowerEnv,
    uses: bind(
      ...(config.journal ? [tables.executions.callsOnRows([ENDS, LABELS], 'PutItem')] : []),
      tables.executions.readingStream(),
      deadEnds.sending(),
      spans ? makingSpans(spans, props) : NO_SPANS,
      spans || to ? signingSecret.reading() : NO_IDS,
      { env: {}, statements: to ? [exporting(scope, to)] : [] },
      settings({
        RETENTION_DAYS,
        EXECUTIONS_TABLE: tables.executions.tableName,
        JOURNAL: config.journal ? 'on' : 'off',
        HISTORY_EXPORT: JSON.stringify(exportSettingsOf(to)),
      }),
    ),
  });
  new EventSourceMapping(follower, 'FromExecutions', {
    target: follower.lambda,
    eventSourceArn: tables.executions.tableStreamArn!,
    // From the beginning of the stream: an end that comes before the function does is there.
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 1_000,
    maxBatchingWindow: Duration.seconds(10),
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    maxRecordAge: MAX_RECORD_AGE,
    onFailure: { bind: () => ({ destination: deadEnds.queue.queueArn }) },
    // Claims, heartbeats and the journal itself invoke no function.
    filters: [FilterCriteria.filter({ dynamodb: { NewImage: { status: { S: [...TERMINAL_STATUSES] } } } })],
  });
  return follower;
}

/** Ends that the journal gets late, or never. */
export const followerAlarms = (follower: PipelineFunction, deadEnds: DeadEnds): AlarmSpecs => ({
  FollowerLag: {
    section: 'follower-lag',
    summary: `The follower is more than ${LAG_LIMIT.toHours()} hour behind: lists, counts and traces lack what has ended.`,
    metric: follower.lambda.metric('IteratorAge', {
      label: 'oldest',
      period: PERIOD,
      statistic: Stats.MAXIMUM,
    }),
    breaching: { above: LAG_LIMIT.toMilliseconds() },
    datapoints: [3, 3],
    missingData: 'not-breaching',
  },
  DeadLettersFollower: {
    section: 'dead-letters-follower',
    summary: 'Ends are missing in journal and traces: the follower could not handle them for almost a day.',
    metric: visibleMessages(deadEnds.queue, 'follower'),
    breaching: { above: 0 },
    datapoints: [1, 1],
    missingData: 'not-breaching',
  },
  EndsUnread: {
    section: 'ends-unread',
    summary: 'Ends are missing in journal and traces: their rows could not be read.',
    metric: stageMetric(follower, Metric.endsUnread),
    breaching: { above: 0 },
    datapoints: [1, 1],
    missingData: 'not-breaching',
  },
});
