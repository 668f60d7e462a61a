import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';

import type { ErrandEventMessage } from '../../contracts/messages';
import { executionArnOf } from '../arn';
import { clientIn } from '../call/aws-client';
import { errorOfEnd, failedProbe, failedStart, isNamed, succeededWith, stringIn } from './answers';
import type { ErrandEnd, ErrandEvent, ErrandKind, Probed, Started } from './errand-kind';

interface Description {
  status?: unknown;
  output?: unknown;
  error?: unknown;
  cause?: unknown;
}

/** Undefined: it has not ended. */
function endOf({ status, output, error, cause }: Description): ErrandEnd | undefined {
  const said = [stringIn(error), stringIn(cause)].filter(Boolean).join(': ');
  switch (status) {
    case 'SUCCEEDED':
      return succeededWith(stringIn(output));
    case 'FAILED':
    case 'TIMED_OUT':
      return {
        how: 'failed',
        error: errorOfEnd(status, said),
        ...(stringIn(error) !== undefined && { errorName: stringIn(error) }),
      };
    case 'ABORTED':
      return { how: 'stopped', error: errorOfEnd(status, said) };
    default:
      return undefined;
  }
}

/** Executions of standard state machines. For 90 days, no other one starts under the same name. */
export const stepFunctions: ErrandKind = {
  async start({ resource, name, input }, { signal, ...context }): Promise<Started> {
    try {
      await clientIn(SFNClient, context).send(
        new StartExecutionCommand({ stateMachineArn: resource, name, input }),
        { abortSignal: signal },
      );
      return { how: 'started' };
    } catch (error) {
      return isNamed(error, 'ExecutionAlreadyExists') ? { how: 'started' } : failedStart(error, signal);
    }
  },

  async probe(errand, { signal, ...context }): Promise<Probed> {
    try {
      const answer = await clientIn(SFNClient, context).send(
        new DescribeExecutionCommand({ executionArn: executionArnOf(errand.resource, errand.name) }),
        { abortSignal: signal },
      );
      const end = endOf(answer);
      return end ? { state: 'ended', end } : { state: 'running' };
    } catch (error) {
      return isNamed(error, 'ExecutionDoesNotExist') ? { state: 'none' } : failedProbe(error);
    }
  },

  async stop(errand, cause, { signal, ...context }): Promise<void> {
    await clientIn(SFNClient, context).send(
      new StopExecutionCommand({ executionArn: executionArnOf(errand.resource, errand.name), cause }),
      { abortSignal: signal },
    );
  },

  ofEvent({ detail }: ErrandEventMessage): ErrandEvent | undefined {
    const [name, resource, end] = [stringIn(detail.name), stringIn(detail.stateMachineArn), endOf(detail)];
    return name !== undefined && resource !== undefined && end ? { name, resource, end } : undefined;
  },
};
