import { LocalRunError } from '../run/errors';
import type { FunctionSpec, LocalStack } from '../template/stack';
import type { Access } from './access';

/** Calls that Lambda makes on the queue of an event source mapping, under the role of the function. */
const POLLING = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/** Calls on the stream of a table. The role also sends what the mapping gives up. */
const READING = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

/**
 * Throws a `LocalRunError` if AWS would reject the deployment of a function, event source mapping or
 * schedule. AWS does so if the service cannot assume the role, or if the role lacks the permissions for
 * polling.
 */
export function assertDeployable(stack: LocalStack, access: Access, accountId: string): void {
  for (const { logicalId, roleArn } of stack.functions)
    if (!access.allowsAssuming('lambda.amazonaws.com', roleArn, {}))
      throw new LocalRunError(`${logicalId}: its role cannot be assumed by Lambda`);

  for (const { logicalId, functionArn, queueArn } of stack.mappings) {
    const session = stack.functions.find(({ arn }) => arn === functionArn) as FunctionSpec;
    for (const call of POLLING)
      if (!access.allows(session, `sqs:${call}`, queueArn))
        throw new LocalRunError(
          `${logicalId}: the function's execution role does not have permissions to call ${call} on ${queueArn}`,
        );
  }

  for (const { logicalId, functionArn, streamArn, failureArn } of stack.streamMappings) {
    const session = stack.functions.find(({ arn }) => arn === functionArn) as FunctionSpec;
    const calls = READING.map((call): [action: string, resource: string] => [`dynamodb:${call}`, streamArn]);
    if (failureArn !== undefined) calls.push(['sqs:SendMessage', failureArn]);
    for (const [action, resource] of calls)
      if (!access.allows(session, action, resource))
        throw new LocalRunError(
          `${logicalId}: the function's execution role does not have permissions for ${action} on ${resource}`,
        );
  }

  for (const { logicalId, roleArn, groupArn } of stack.schedules) {
    const context = { 'aws:sourceaccount': accountId, 'aws:sourcearn': groupArn };
    if (!access.allowsAssuming('scheduler.amazonaws.com', roleArn, context))
      throw new LocalRunError(`${logicalId}: its role cannot be assumed by EventBridge Scheduler`);
  }
}
