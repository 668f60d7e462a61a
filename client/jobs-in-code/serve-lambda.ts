import { decodedKey } from '../deliveries/check-delivery';
import type { Reporting } from '../deliveries/delivery';
import { QuarterjackError } from '../errors';
import { FatalError, reasonOf } from '../worker/errors';
import { observed } from './observe';
import { CONSOLE, type Jobs, messageOf, type Outcome, resultText, runJob } from './run-job';
import type { LambdaContext, LambdaOptions } from './serve-options';

/** What is left for the answer when the function's time ends. */
const ANSWER_MS = 500;

/**
 * Runs what an invocation of mode `sync` delivers. Whether it is one, and of what, its client context says
 * alone: the event is the payload, and a user may have written it.
 */
export const lambdaHandler =
  (jobs: Jobs, options: LambdaOptions) =>
  async (event: unknown, context?: LambdaContext): Promise<unknown> => {
    const custom = customOf(context);
    if (typeof custom['quarterjack-execution'] !== 'string')
      throw named(
        'QuarterjackFatalError',
        new FatalError(
          'this invocation is no delivery of mode sync: it has no client context of Quarterjack',
        ),
      );
    const stopping = new AbortController();
    const leftMs = context?.getRemainingTimeInMillis?.();
    const timer =
      leftMs === undefined
        ? undefined
        : setTimeout(() => stopping.abort(new QuarterjackError('the function ends')), leftMs - ANSWER_MS);
    try {
      return returned(await outcomeOf(jobs, custom, event, stopping.signal, options));
    } finally {
      clearTimeout(timer);
    }
  };

function customOf(context: LambdaContext | undefined): Record<string, unknown> {
  const { custom } = (context?.clientContext ?? {}) as { custom?: unknown };
  return typeof custom === 'object' && custom !== null ? { ...custom } : {};
}

async function outcomeOf(
  jobs: Jobs,
  custom: Record<string, unknown>,
  payload: unknown,
  signal: AbortSignal,
  options: LambdaOptions,
): Promise<Outcome> {
  const text = (name: string) => String(custom[`quarterjack-${name}`]);
  const numbers = { attempt: Number(text('attempt')), fence: Number(text('fence')) };
  const dueAt = new Date(text('due'));
  const fault =
    !Object.values(numbers).every((one) => Number.isSafeInteger(one) && one > 0) ||
    !Number.isFinite(dueAt.getTime())
      ? 'the client context of the invocation is not complete'
      : projectFault(text('project'), options.project);
  if (fault !== undefined) {
    CONSOLE.error(fault);
    return { outcome: 'fatal', error: new FatalError(fault) };
  }
  const ids = { jobId: text('job'), execId: text('execution'), ...numbers, dueAt, key: keyIn(custom) };
  const depth = custom['quarterjack-hop'];
  const deliveryDepth = typeof depth === 'string' ? Number(depth) : undefined;
  const cause = {
    deliveryDepth,
    ...(typeof custom.traceparent === 'string' && { traceparent: custom.traceparent }),
    ...(typeof custom.tracestate === 'string' && { tracestate: custom.tracestate }),
  };
  const delivered = { reporting: reportingIn(custom), isProven: false, signal };
  return observed(delivered, options, (by) => runJob(jobs, { ...ids, ...cause, ...by, payload }, options));
}

function keyIn({ 'quarterjack-key': key }: Record<string, unknown>): string | undefined {
  return typeof key === 'string' ? decodedKey(key) : undefined;
}

function reportingIn(custom: Record<string, unknown>): Reporting | undefined {
  const { 'quarterjack-callback': callback, 'quarterjack-token': token } = custom;
  return typeof callback === 'string' && typeof token === 'string' ? { callback, token } : undefined;
}

const projectFault = (given: string, wanted: string | undefined): string | undefined =>
  wanted === undefined || given === encodeURIComponent(wanted)
    ? undefined
    : `the delivery is of project ${given}; this function serves ${encodeURIComponent(wanted)}`;

/** Lambda tells its caller the name of an error, and so what may follow. */
function returned(ended: Outcome): unknown {
  if (ended.outcome === 'done') return resultText(ended.value, { log: CONSOLE }) && ended.value;
  const reason = reasonOf(ended.error);
  const said = reason ? `:${reason}` : '';
  if (ended.outcome === 'fatal') throw named(`QuarterjackFatalError${said}`, ended.error);
  if (ended.afterMs === undefined) throw ended.error;
  throw named(`QuarterjackRetryAfter:${Math.ceil(ended.afterMs / 1_000)}${said}`, ended.error);
}

function named(name: string, cause: unknown): Error {
  const error = new QuarterjackError(messageOf(cause), { cause });
  error.name = name;
  return error;
}
