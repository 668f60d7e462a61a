import * as z from 'zod';

import { denialMessage } from '../../iam/access';
import { type AwsReply, type AwsService, awsError, awsJson, readingWith } from '../aws-call';
import type { ExternalResources } from '../external-resources';
import { described } from './execution';
import type { MachineExecutions } from './machine-executions';

const StartExecution = z.object({
  stateMachineArn: z.string(),
  name: z.string(),
  input: z.string().default('{}'),
});
const DescribeExecution = z.object({ executionArn: z.string() });
const StopExecution = DescribeExecution.extend({
  error: z.string().optional(),
  cause: z.string().optional(),
});

const reading = readingWith('ValidationException');

/** Step Functions for state machines outside the stack, as far as the stages call it. */
export function stepFunctions(executions: MachineExecutions, external: ExternalResources): AwsService {
  const actions: Readonly<Record<string, (body: unknown) => AwsReply>> = {
    StartExecution: reading(StartExecution, ({ stateMachineArn, name, input }) => {
      const started = executions.start(stateMachineArn, name, input);
      if ('alreadyExists' in started)
        return awsError(
          400,
          'ExecutionAlreadyExists',
          `Execution Already Exists: '${started.alreadyExists}'`,
        );
      if (started.isNew) external.record(stateMachineArn, { name, input });
      const { arn: executionArn, startedMs } = started.execution;
      return awsJson({ executionArn, startDate: startedMs / 1_000 });
    }),
    DescribeExecution: reading(DescribeExecution, ({ executionArn }) => {
      const execution = executions.get(executionArn);
      return execution ? awsJson(described(execution)) : doesNotExist(executionArn);
    }),
    StopExecution: reading(StopExecution, ({ executionArn, ...why }) => {
      const stopped = executions.end(executionArn, 'ABORTED', why);
      return stopped ? awsJson({ stopDate: stopped.stoppedMs! / 1_000 }) : doesNotExist(executionArn);
    }),
  };
  return {
    targetPrefix: 'AWSStepFunctions.',
    async call({ action, body }) {
      const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
      return run
        ? run(JSON.parse(body))
        : awsError(
            400,
            'UnknownOperationException',
            `The local run does not support AWSStepFunctions.${action}`,
          );
    },
    permissions({ action, body }) {
      if (!Object.hasOwn(actions, action)) return [];
      const { stateMachineArn, executionArn } = JSON.parse(body) as Record<string, unknown>;
      return [{ action: `states:${action}`, resource: String(stateMachineArn ?? executionArn) }];
    },
    denied: (denial) => awsError(400, 'AccessDeniedException', denialMessage(denial)),
    async stop() {
      executions.stop();
    },
  };
}

const doesNotExist = (arn: string): AwsReply =>
  awsError(400, 'ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
