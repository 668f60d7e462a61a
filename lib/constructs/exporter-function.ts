import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { ExporterEnv } from '../../lambdas/core/contracts/env';
import { Metric } from '../../lambdas/core/contracts/metrics';
import { version } from '../../package.json';
import type { StageConfig } from '../config/stage-config';
import type { AlarmSpecs } from './alarm-spec';
import { bind, type Binding, settings } from './binding';
import { deploymentOf } from './deployment-name';
import { stageMetric, sum } from './metrics';
import { type FunctionDefaults, PipelineFunction } from './pipeline-function';
import { receivingFrom, refusePlainRequestsTo } from './work-queue';

const TIMEOUT = Duration.seconds(30);
/** A collector that is down is asked again after so long. */
const ASK_AGAIN = Duration.minutes(3);
/** The exporter drops spans after an hour. What it cannot even receive goes after two. */
const RETENTION = Duration.hours(2);

/** The queue of spans: what a collector does is felt here, and nowhere else. */
export class SpansQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      queueName: `${deploymentOf(this)}-spans`,
      retentionPeriod: RETENTION,
      visibilityTimeout: ASK_AGAIN,
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'The exporter drops and counts what it could not send within an hour.',
    });
    refusePlainRequestsTo(this, [this.queue]);
  }

  sending(): Binding<'SPANS_QUEUE_URL'> {
    const { queueArn, queueUrl } = this.queue;
    return {
      env: { SPANS_QUEUE_URL: queueUrl },
      statements: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] })],
    };
  }
}

interface ExporterProps {
  readonly config: StageConfig;
  readonly defaults: FunctionDefaults;
}

/** The function that calls the collector. It may read its queue and the secret with headers, nothing else. */
export function addExporterFunction(
  scope: Construct,
  { queue }: SpansQueue,
  { config, defaults }: ExporterProps,
  { endpoint, headersSecretArn = '', serviceName }: NonNullable<StageConfig['otlp']>,
): PipelineFunction {
  const exporter = new PipelineFunction(scope, 'Exporter', {
    ...defaults,
    stage: 'exporter',
    description: 'Sends spans of executions to the collector of the operator',
    timeout: TIMEOUT,
    memoryMb: 256,
    env: ExporterEnv,
    uses: bind(
      receivingFrom([queue.queueArn]),
      { env: {}, statements: readingOf(headersSecretArn) },
      settings({ STAGE: config.stage, VERSION: version, TARGET_POLICY: config.targetPolicy }),
      settings({
        OTLP_ENDPOINT: endpoint,
        OTLP_HEADERS_SECRET_ARN: headersSecretArn,
        OTLP_SERVICE_NAME: serviceName,
      }),
    ),
  });
  exporter.consume(queue, { batchSize: 5, maxConcurrency: 5 });
  return exporter;
}

const readingOf = (secretArn: string): PolicyStatement[] =>
  secretArn === ''
    ? []
    : [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] })];

/** Spans that the collector never gets. */
export const exporterAlarms = (exporter: PipelineFunction): AlarmSpecs => ({
  SpansLost: {
    section: 'spans-lost',
    summary: 'Spans did not reach the collector: it rejected them, or did not take them for an hour.',
    metric: sum([stageMetric(exporter, Metric.spansDropped), stageMetric(exporter, Metric.spansRejected)]),
    breaching: { above: 0 },
    datapoints: [1, 1],
    missingData: 'not-breaching',
  },
});
