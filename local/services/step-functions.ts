import * as z from 'zod';

import { refusalMessage } from '../iam/access';
import { type AwsReply, type AwsService, awsError } from './aws-call';
import type { Elsewhere } from './external-resources';

const StartExecution = z.object({
  stateMachineArn: z.string(),
  name: z.string(),
  input: z.string().default('{}'),
});

/**
 * Step Functions' `StartExecution`, for state machines elsewhere. Executions end as they start, so that a name cannot be
 * used a second time.
 */
export function stepFunctions(elsewhere: Elsewhere, clock: { nowMs(): number }): AwsService {
  const started = new Set<string>();
  const start = (body: string): AwsReply => {
    const parsed = StartExecution.safeParse(JSON.parse(body));
    if (!parsed.success) return awsError(400, 'ValidationException', z.prettifyError(parsed.error));
    const { stateMachineArn, name, input } = parsed.data;
    const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    if (started.has(executionArn))
      return awsError(400, 'ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    started.add(executionArn);
    elsewhere.take(stateMachineArn, { name, input });
    return {
      status: 200,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: JSON.stringify({ executionArn, startDate: clock.nowMs() / 1_000 }),
    };
  };
  return {
    targetPrefix: 'AWSStepFunctions.',
    async call({ action, body }) {
      return action === 'StartExecution'
        ? start(body)
        : awsError(
            400,
            'UnknownOperationException',
            `The local run does not know AWSStepFunctions.${action}`,
          );
    },
    permissions({ action, body }) {
      if (action !== 'StartExecution') return [];
      const { stateMachineArn } = JSON.parse(body) as { stateMachineArn?: unknown };
      return [{ action: `states:${action}`, resource: String(stateMachineArn) }];
    },
    denied: (refusal) => awsError(400, 'AccessDeniedException', refusalMessage(refusal)),
    async stop() {},
  };
}
