import type { HttpApi as Api } from 'aws-cdk-lib/aws-apigatewayv2';

import type { ExecutionQueues } from './execution-queues';
import type { PipelineFunction } from './pipeline-function';
import type { RequestQueues } from './request-queues';

/** What dashboard and alarms look at, besides the metrics that the stages emit. */
export interface Watched {
  readonly httpApi: Api;
  /** By the name of the stage, in the order of a job's way. */
  readonly functions: Readonly<Record<string, PipelineFunction>>;
  readonly executionQueues: ExecutionQueues;
  readonly requestQueues: RequestQueues;
}
