/** The type of resource that a metric is of, and the one dimension that it is published by. */
interface Published {
  dimension: string;
  of: string;
}

const byName = (names: readonly string[], published: Published): Record<string, Published> =>
  Object.fromEntries(names.map((name) => [name, published]));

/**
 * Metrics that AWS publishes by itself, by namespace and name. From the monitoring pages of each service's guide
 * (Amazon SQS, AWS Lambda, API Gateway HTTP APIs), read in November 2026; only those that are of use here.
 */
export const AWS_METRICS: Readonly<Record<string, Readonly<Record<string, Published>>>> = {
  'AWS/SQS': byName(
    [
      'ApproximateAgeOfOldestMessage',
      'ApproximateNumberOfMessagesDelayed',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesVisible',
      'NumberOfMessagesDeleted',
      'NumberOfMessagesReceived',
      'NumberOfMessagesSent',
    ],
    { dimension: 'QueueName', of: 'AWS::SQS::Queue' },
  ),
  'AWS/Lambda': byName(['ConcurrentExecutions', 'Duration', 'Errors', 'Invocations', 'Throttles'], {
    dimension: 'FunctionName',
    of: 'AWS::Lambda::Function',
  }),
  'AWS/ApiGateway': byName(['4xx', '5xx', 'Count', 'DataProcessed', 'IntegrationLatency', 'Latency'], {
    dimension: 'ApiId',
    of: 'AWS::ApiGatewayV2::Api',
  }),
};
