import * as z from 'zod';

import { denialMessage } from '../iam/access';
import { type AwsReply, type AwsService, awsError, awsJson } from './aws-call';
import type { ExternalResources } from './external-resources';

const StartExecution = z.object({
  stateMachineArn: z.string(),
  name: z.string(),
  input: z.string().default('{}'),
});

/**
 * Step Functions' `StartExecution`, for state machines outside the stack. Executions end at once. As in AWS,
 * the name of an ended execution cannot be used again.
 */
export function stepFunctions(external: ExternalResources, clock: { nowMs(): number }): AwsService {
  const started = new Set<string>();
  const start = (body: string): AwsReply => {
    const parsed = StartExecution.safeParse(JSON.parse(body));
    if (!parsed.success) return awsError(400, 'ValidationException', z.prettifyError(parsed.error));
    const { stateMachineArn, name, input } = parsed.data;
    const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    if (started.has(executionArn))
      return awsError(400, 'ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    started.add(executionArn);
    external.record(stateMachineArn, { name, input });
    return awsJson({ executionArn, startDate: clock.nowMs() / 1_000 });
  };
  return {
    targetPrefix: 'AWSStepFunctions.',
    async call({ action, body }) {
      return action === 'StartExecution'
        ? start(body)
        : awsError(
            400,
            'UnknownOperationException',
            `The local run does not support AWSStepFunctions.${action}`,
          );
    },
    permissions({ action, body }) {
      if (action !== 'StartExecution') return [];
      const { stateMachineArn } = JSON.parse(body) as { stateMachineArn?: unknown };
      return [{ action: `states:${action}`, resource: String(stateMachineArn) }];
    },
    denied: (denial) => awsError(400, 'AccessDeniedException', denialMessage(denial)),
    async stop() {},
  };
}
