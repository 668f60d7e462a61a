import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  LambdaClient,
  ListDurableExecutionsByFunctionCommand,
  StopDurableExecutionCommand,
} from '@aws-sdk/client-lambda';

import type { ErrandEventMessage } from '../../contracts/messages';
import type { ErrandStep } from '../../domain/errand';
import { unqualified } from '../arn';
import { clientIn } from '../call/aws-client';
import { errorOfEnd, failedProbe, failedStart, isNamed, succeededWith, stringIn } from './answers';
import { stepsIn } from './durable-steps';
import type {
  ErrandCall,
  ErrandEnd,
  ErrandEvent,
  ErrandKind,
  KnownErrand,
  Probed,
  Started,
} from './errand-kind';

interface Said {
  Status?: unknown;
  Result?: string;
  Error?: { ErrorType?: string; ErrorMessage?: string };
}

/** Undefined: it has not ended. */
function endOf({ Status: status, Result: text, Error: failed = {} }: Said): ErrandEnd | undefined {
  const { ErrorType: errorName, ErrorMessage: message } = failed;
  const said = [errorName, message].filter(Boolean).join(': ');
  switch (status) {
    case 'SUCCEEDED':
      return succeededWith(text);
    case 'FAILED':
    case 'TIMED_OUT':
      return {
        how: 'failed',
        error: errorOfEnd(status, said),
        ...(errorName !== undefined && { errorName }),
      };
    case 'STOPPED':
      return { how: 'stopped', error: errorOfEnd(status, said) };
    default:
      return undefined;
  }
}

/** Asks the function which of its executions has this name: any version or alias may have started it. */
async function find(
  { resource, name }: KnownErrand,
  { signal, ...context }: ErrandCall,
): Promise<string | undefined> {
  const { DurableExecutions: found = [] } = await clientIn(LambdaClient, context).send(
    new ListDurableExecutionsByFunctionCommand({
      FunctionName: unqualified(resource),
      DurableExecutionName: name,
    }),
    { abortSignal: signal },
  );
  return found.find(({ DurableExecutionName }) => DurableExecutionName === name)?.DurableExecutionArn;
}

const notDurable = (): Started => ({
  how: 'refused',
  result: {
    outcome: 'fatal',
    error: 'not a durable function: it was invoked once, and nothing says how that ends',
  },
});

/**
 * Executions of durable functions. As long as Lambda keeps one, no other starts under its name. An alias may
 * have moved since, and then the answer to another start is that the name is taken: a probe finds the first.
 */
export const durable: ErrandKind = {
  async start({ resource, name, input }, { signal, ...context }): Promise<Started> {
    try {
      const { DurableExecutionArn: id } = await clientIn(LambdaClient, context).send(
        new InvokeCommand({
          FunctionName: resource,
          InvocationType: 'Event',
          DurableExecutionName: name,
          Payload: Buffer.from(input),
        }),
        { abortSignal: signal },
      );
      return id === undefined ? notDurable() : { how: 'started', id };
    } catch (error) {
      const isTaken = isNamed(error, 'DurableExecutionAlreadyStartedException');
      return isTaken ? { how: 'started' } : failedStart(error, signal);
    }
  },

  async probe(errand, call): Promise<Probed> {
    const { signal, ...context } = call;
    try {
      const id = errand.id ?? (await find(errand, call));
      if (id === undefined) return { state: 'none' };
      const answer = await clientIn(LambdaClient, context).send(
        new GetDurableExecutionCommand({ DurableExecutionArn: id, IncludeExecutionData: true }),
        { abortSignal: signal },
      );
      const end = endOf(answer);
      return end ? { state: 'ended', end } : { state: 'running', id };
    } catch (error) {
      return isNamed(error, 'ResourceNotFoundException') ? { state: 'none' } : failedProbe(error);
    }
  },

  async steps({ id }, { signal, ...context }): Promise<ErrandStep[]> {
    const { Events: events = [] } = await clientIn(LambdaClient, context).send(
      new GetDurableExecutionHistoryCommand({
        DurableExecutionArn: id,
        IncludeExecutionData: false,
        ReverseOrder: true,
      }),
      { abortSignal: signal },
    );
    return stepsIn(events);
  },

  async stop(errand, why, call): Promise<void> {
    const { signal, ...context } = call;
    const id = errand.id ?? (await find(errand, call));
    if (id === undefined) return;
    await clientIn(LambdaClient, context).send(
      new StopDurableExecutionCommand({
        DurableExecutionArn: id,
        Error: { ErrorType: 'Quarterjack', ErrorMessage: why },
      }),
      { abortSignal: signal },
    );
  },

  ofEvent({ detail }: ErrandEventMessage): ErrandEvent | undefined {
    const name = stringIn(detail.durableExecutionName);
    const resource = stringIn(detail.functionArn);
    const id = stringIn(detail.durableExecutionArn);
    const end = endOf({ Status: detail.status });
    if (name === undefined || resource === undefined || id === undefined || !end) return undefined;
    return { name, resource, id, end, isBrief: true };
  },

  /** Events name the version that runs, whatever alias started it. */
  isSame: (target, inEvent) => unqualified(target) === unqualified(inEvent),
};
