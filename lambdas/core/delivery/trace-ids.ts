import { createHmac } from 'node:crypto';

import type { Sampling } from '../contracts/otlp';
import { isHiddenJob, jobRefOf } from '../contracts/tables';
import type { Execution } from '../domain/execution';
import { SAMPLED_FLAG } from '../domain/trace';
import { runOf } from '../domain/workflow/task-id';

/** What the ids of an execution's trace are made of. */
type Traced = Pick<Execution, 'jobKey' | 'execId' | 'userRetries'>;

/** The trace that an execution belongs to. */
export interface Trace {
  traceId: string;
  /** As in `traceparent`. */
  flags: number;
  /** `tracestate`, as far as it was kept. */
  state?: string;
  /** Whether it is the trace of the request that asked for the execution. */
  joined: boolean;
}

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/**
 * The one place where ids of traces are made: deliveries, answers to workers, attributes and spans have the
 * same. They follow from the rows, so what is sent again is equal to the byte.
 */
function hexId(secret: Buffer, parts: readonly unknown[], digits: number): string {
  for (let nth = 0; ; nth++) {
    const text = JSON.stringify(nth === 0 ? parts : [...parts, nth]);
    const id = createHmac('sha256', secret).update(text).digest('hex').slice(0, digits);
    if (/[^0]/.test(id)) return id; // an id of zeros alone is none
  }
}

/**
 * Whether the deployment records traces of a job. Users neither see nor change hidden ones.
 *
 * @param sampling null: it records none
 */
export const recordsJob = (jobKey: string, sampling: Sampling | null): sampling is Sampling =>
  sampling !== null && !isHiddenJob(jobKey) && (sampling.projects?.includes(jobRefOf(jobKey).userId) ?? true);

/** 52 of the 56 bits of a trace id that count as random: a number holds no more. */
const RANDOM_DIGITS = 14;
const READ_DIGITS = 13;
const RANDOM_RANGE = 16 ** READ_DIGITS;

/** By the id of the trace alone, as OpenTelemetry compares it: all executions of a trace agree. */
function isChosen(traceId: string, ratio: number): boolean {
  if (ratio === 0) return false;
  const digits = traceId.slice(-RANDOM_DIGITS).slice(0, READ_DIGITS);
  return Number.parseInt(digits, 16) / RANDOM_RANGE >= 1 - ratio;
}

/**
 * The trace of an execution: that of the request that asked for it, or its own. A task has that of its run:
 * give the run.
 *
 * @param sampling which own traces are recorded; null: none
 */
export function traceOfExecution(
  { jobKey, execId, trace }: Pick<Execution, 'jobKey' | 'execId' | 'trace'>,
  secret: Buffer,
  sampling: Sampling | null,
): Trace {
  if (!trace) {
    const traceId = hexId(secret, ['trace', jobKey, runOf(execId)], TRACE_DIGITS);
    const isRecorded = recordsJob(jobKey, sampling) && isChosen(traceId, sampling.ratio);
    return { traceId, flags: isRecorded ? SAMPLED_FLAG : 0, joined: false };
  }
  const { id, flags, state } = trace;
  return { traceId: id, flags, ...(state !== undefined && { state }), joined: true };
}

/** The span of an execution, through all its attempts. After a user retry it has another one. */
export const spanOfExecution = ({ jobKey, execId, userRetries = 0 }: Traced, secret: Buffer): string =>
  hexId(secret, ['span', jobKey, execId, userRetries], SPAN_DIGITS);

/** The span of the time that an execution waits before its first attempt. */
export const spanOfWait = ({ jobKey, execId, userRetries = 0 }: Traced, secret: Buffer): string =>
  hexId(secret, ['span', jobKey, execId, userRetries, 'wait'], SPAN_DIGITS);

/** The span of the call of one target, under one fence. */
export const spanOfAttempt = (
  { jobKey, execId, userRetries = 0, fence }: Traced & Pick<Execution, 'fence'>,
  target: number,
  secret: Buffer,
): string => hexId(secret, ['span', jobKey, execId, userRetries, fence, target], SPAN_DIGITS);

/** What a target or a worker gets of the trace. */
export interface TraceHeaders {
  traceparent: string;
  tracestate?: string;
}

/**
 * The trace context of the call of one target.
 *
 * @param of whose trace it is: the execution or, of a task, its run
 */
export function traceHeadersOf(
  execution: Traced & Pick<Execution, 'fence'>,
  of: Pick<Execution, 'jobKey' | 'execId' | 'trace'>,
  target: number,
  { secret, sampling }: { secret: Buffer; sampling: Sampling | null },
): TraceHeaders {
  const { traceId, flags, state } = traceOfExecution(of, secret, sampling);
  const span = spanOfAttempt(execution, target, secret);
  return {
    traceparent: `00-${traceId}-${span}-${flags.toString(16).padStart(2, '0')}`,
    ...(state !== undefined && { tracestate: state }),
  };
}

/** Whether its spans are recorded. */
export const isSampled = ({ flags }: Pick<Trace, 'flags'>): boolean => (flags & SAMPLED_FLAG) !== 0;
