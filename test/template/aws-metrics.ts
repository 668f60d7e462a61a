interface AwsMetric {
  /** The dimension that names its resource. */
  dimension: string;
  /** A second one, which names a part of the resource. Without it, that part does not count. */
  part?: string;
  resourceType: string;
}

const byName = (names: readonly string[], metric: AwsMetric): Record<string, AwsMetric> =>
  Object.fromEntries(names.map((name) => [name, metric]));

/**
 * Metrics that AWS publishes itself, by namespace and name; only those that are useful here. Source: the
 * monitoring pages in the guides of SQS, Lambda, DynamoDB and API Gateway HTTP APIs, read in November 2026.
 */
export const AWS_METRICS: Readonly<Record<string, Readonly<Record<string, AwsMetric>>>> = {
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
    { dimension: 'QueueName', resourceType: 'AWS::SQS::Queue' },
  ),
  'AWS/Lambda': byName(
    ['ConcurrentExecutions', 'Duration', 'Errors', 'Invocations', 'IteratorAge', 'Throttles'],
    { dimension: 'FunctionName', resourceType: 'AWS::Lambda::Function' },
  ),
  'AWS/DynamoDB': byName(['ReadThrottleEvents', 'WriteThrottleEvents'], {
    dimension: 'TableName',
    part: 'GlobalSecondaryIndexName',
    resourceType: 'AWS::DynamoDB::GlobalTable',
  }),
  'AWS/ApiGateway': byName(['4xx', '5xx', 'Count', 'DataProcessed', 'IntegrationLatency', 'Latency'], {
    dimension: 'ApiId',
    resourceType: 'AWS::ApiGatewayV2::Api',
  }),
};
