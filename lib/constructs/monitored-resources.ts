import type { HttpApi as Api } from 'aws-cdk-lib/aws-apigatewayv2';

import type { ExecutionQueues } from './execution-queues';
import type { Executors } from './executor-functions';
import type { IndexedTable } from './job-tables';
import type { PipelineFunction } from './pipeline-function';
import type { RequestQueues } from './request-queues';

/** Resources whose AWS metrics the dashboard and the alarms use, besides the metrics that the stages emit. */
export interface MonitoredResources {
  readonly httpApi: Api;
  /** By name, in pipeline order. */
  readonly functions: Readonly<Record<string, PipelineFunction>>;
  /** By pool; those of the default pool are among `functions`, too. */
  readonly executors: Executors;
  readonly executionQueues: ExecutionQueues;
  readonly requestQueues: RequestQueues;
  /** Tables that throttle above their capacity. None: they are billed on demand. */
  readonly provisionedTables: readonly IndexedTable[];
}
