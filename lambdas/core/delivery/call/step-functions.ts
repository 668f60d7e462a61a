import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';

import { executionArnOf } from '../arn';
import type { StepFunctionsTarget } from '../../domain/target';
import { outputOf } from '../../domain/workflow/output';
import type { AwsCall } from './aws-call';
import { clientIn } from './aws-client';
import { deliveryIdIn, jsonOf } from './message';

/**
 * Starts an execution whose input is the payload. Its name is the id of the delivery. If the response to an
 * earlier attempt was lost, the execution exists already, which counts as a success.
 */
export const callStepFunctions: AwsCall<StepFunctionsTarget> = async (
  { stateMachineArn },
  delivery,
  { signal, ...context },
) => {
  const name = deliveryIdIn(delivery);
  const outputWith = (executionArn: string | undefined) =>
    delivery.keepsOutput && { output: outputOf({ executionArn }) };
  try {
    const { $metadata, executionArn } = await clientIn(SFNClient, context).send(
      new StartExecutionCommand({ stateMachineArn, name, input: jsonOf(delivery) }),
      { abortSignal: signal },
    );
    const body = executionArn;
    return { outcome: 'succeeded', statusCode: $metadata.httpStatusCode, body, ...outputWith(executionArn) };
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ExecutionAlreadyExists')) throw error;
    const executionArn = executionArnOf(stateMachineArn, name);
    const body = `started before, as ${name}`;
    return { outcome: 'succeeded', statusCode: 200, body, ...outputWith(executionArn) };
  }
};
