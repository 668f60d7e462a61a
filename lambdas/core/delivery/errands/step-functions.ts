import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';

import type { ErrandEventMessage } from '../../contracts/messages';
import type { TargetResult } from '../../domain/target-result';
import { keptText } from '../../domain/target-result';
import { outputOfText } from '../../domain/workflow/output';
import { executionArnOf } from '../arn';
import { failureOf, isSilent, isThrottled } from '../call/aws-call';
import { clientIn } from '../call/aws-client';
import type { ErrandEnd, ErrandEvent, ErrandKind, Probed, Started } from './errand-kind';

interface Description {
  status?: unknown;
  output?: unknown;
  error?: unknown;
  cause?: unknown;
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Undefined: it has not ended. */
function endOf({ status, output, error, cause }: Description): ErrandEnd | undefined {
  const text = textIn(output);
  const said = [textIn(error), textIn(cause)].filter(Boolean).join(': ');
  switch (status) {
    case 'SUCCEEDED':
      return {
        how: 'succeeded',
        ...(text !== undefined && { body: keptText(text, 'ofSuccess'), output: outputOfText(text) }),
      };
    case 'FAILED':
    case 'TIMED_OUT':
      return {
        how: 'failed',
        error: `${status}${said && `: ${keptText(said, 'ofFailure')}`}`,
        ...(textIn(error) !== undefined && { errorName: textIn(error) }),
      };
    case 'ABORTED':
      return { how: 'stopped', error: `ABORTED${said && `: ${keptText(said, 'ofFailure')}`}` };
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
      if (error instanceof Error && error.name === 'ExecutionAlreadyExists') return { how: 'started' };
      const result: TargetResult = failureOf(error, signal);
      if (isSilent(error, signal)) return { how: 'unknown', error: result.error ?? String(error) };
      return { how: 'refused', result };
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
      if (error instanceof Error && error.name === 'ExecutionDoesNotExist') return { state: 'none' };
      return { state: 'unknown', error: String(error), ...(isThrottled(error) && { isThrottled: true }) };
    }
  },

  async stop(errand, cause, { signal, ...context }): Promise<void> {
    await clientIn(SFNClient, context).send(
      new StopExecutionCommand({ executionArn: executionArnOf(errand.resource, errand.name), cause }),
      { abortSignal: signal },
    );
  },

  ofEvent({ detail }: ErrandEventMessage): ErrandEvent | undefined {
    const [name, resource, end] = [textIn(detail.name), textIn(detail.stateMachineArn), endOf(detail)];
    return name !== undefined && resource !== undefined && end ? { name, resource, end } : undefined;
  },
};
