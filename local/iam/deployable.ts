import { LocalRunError } from '../run/errors';
import type { FunctionSpec, LocalStack } from '../template/stack';
import { type Access, SECURE } from './access';

/** What Lambda calls on a queue for a mapping, under the role of the function that it feeds. */
const POLLING = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/**
 * Throws a `LocalRunError` where AWS would refuse to make a resource: a function, a mapping or a schedule whose role
 * cannot be taken, or does not allow what it is for.
 */
export function refuseUndeployable(stack: LocalStack, access: Access, accountId: string): void {
  for (const { logicalId, roleArn } of stack.functions)
    if (!access.allowsAssuming('lambda.amazonaws.com', roleArn, {}))
      throw new LocalRunError(`${logicalId}: its role cannot be assumed by Lambda`);

  for (const { logicalId, functionArn, queueArn } of stack.mappings) {
    const { roleArn, name } = stack.functions.find(({ arn }) => arn === functionArn) as FunctionSpec;
    for (const call of POLLING)
      if (access.refusal({ roleArn, name }, [{ action: `sqs:${call}`, resource: queueArn, context: SECURE }]))
        throw new LocalRunError(
          `${logicalId}: the function's execution role does not have permissions to call ${call} on ${queueArn}`,
        );
  }

  for (const schedule of stack.schedules)
    if (!mayTakeRole(schedule, access, accountId))
      throw new LocalRunError(`${schedule.logicalId}: its role cannot be assumed by EventBridge Scheduler`);
}

const mayTakeRole = (
  { roleArn, groupArn }: LocalStack['schedules'][number],
  access: Access,
  accountId: string,
): boolean =>
  access.allowsAssuming('scheduler.amazonaws.com', roleArn, {
    'aws:sourceaccount': accountId,
    'aws:sourcearn': groupArn,
  });
