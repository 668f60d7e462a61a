import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';

import type { TargetResult } from '../../domain/target-result';
import type { StepFunctionsTarget } from '../../domain/target';
import type { Delivery } from '../delivery';
import { clientIn } from './aws-client';
import { failureOf } from './aws-failure';
import { deliveryIdIn, jsonOf } from './message';

/**
 * Starts an execution whose input is the payload. Its name is the id of the delivery, so that an attempt whose answer was
 * lost starts none twice: one that exists already is a success.
 */
export async function callStepFunctions(
  { stateMachineArn }: StepFunctionsTarget,
  delivery: Delivery,
  region: string,
  signal: AbortSignal,
): Promise<TargetResult> {
  const name = deliveryIdIn(delivery);
  try {
    const { $metadata, executionArn } = await clientIn(SFNClient, region).send(
      new StartExecutionCommand({ stateMachineArn, name, input: jsonOf(delivery) }),
      { abortSignal: signal },
    );
    return { outcome: 'succeeded', statusCode: $metadata.httpStatusCode, body: executionArn };
  } catch (error) {
    if (error instanceof Error && error.name === 'ExecutionAlreadyExists')
      return { outcome: 'succeeded', statusCode: 200, body: `started before, as ${name}` };
    return failureOf(error, signal);
  }
}
