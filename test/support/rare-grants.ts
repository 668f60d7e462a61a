/**
 * What stages are allowed for work that takes minutes of an outage or a lost answer to come about: too long for the run
 * in real time. Virtual time shows that each of them is needed.
 */
export const RARE_GRANTS = [
  'scanner dynamodb:GetItem executions',
  'scanner dynamodb:PutItem executions',
  'scanner dynamodb:Query executions',
  'scanner events:PutEvents bus',
  'sweeper dynamodb:BatchWriteItem schedule',
  'sweeper dynamodb:DeleteItem schedule',
  'sweeper dynamodb:GetItem jobs',
  'sweeper dynamodb:PutItem executions',
  'sweeper dynamodb:UpdateItem jobs',
  'sweeper events:PutEvents bus',
  'auditor dynamodb:BatchWriteItem schedule',
  'auditor dynamodb:GetItem executions',
  'auditor dynamodb:PutItem executions',
  'auditor events:PutEvents bus',
  'auditor sqs:GetQueueAttributes queues',
];
