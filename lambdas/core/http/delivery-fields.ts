import * as z from 'zod/mini';

import { DEFAULT_MAX_AGE, DEFAULT_RETRY_ON, MAX_ERRAND_AGE } from '../domain/retry-policy';
import { parseDuration } from '../schedule/duration';
import { isErrandTarget, longestErrandOf } from '../domain/long-call';
import { reportingOf, type Target } from '../domain/target';
import type { DurationBounds } from '../domain/timing';
import { described, duration, wholeNumber } from './fields';
import { longestMonitored } from './monitor';
import { CalledTargetBody } from './target';

/** Of attempts whose work is not waited for. */
const MAX_AGE = '30d';
const MAX_STATUSES = 20;

const STATUS_ALLOWED = 'must be a status from 300 to 599, or "3xx", "4xx" or "5xx"';

const RetriedStatus = z.union(
  [
    z.int(STATUS_ALLOWED).check(z.gte(300, STATUS_ALLOWED), z.lte(599, STATUS_ALLOWED)),
    z.enum(['3xx', '4xx', '5xx'], STATUS_ALLOWED),
  ],
  STATUS_ALLOWED,
);

export const RetryBody = described(
  z
    .strictObject({
      maxAttempts: z._default(wholeNumber(1, 100), 3),
      initialDelay: z._default(duration('1s', '24h'), '10s'),
      maxDelay: z._default(duration('1s', '24h'), '1h'),
      multiplier: described(
        z._default(z.number().check(z.gte(1, 'must be from 1 to 10'), z.lte(10, 'must be from 1 to 10')), 2),
        {
          description: 'The growth of the longest delay with each failure. With 1, it stays `initialDelay`.',
        },
      ),
      jitter: described(z._default(z.enum(['full', 'none']), 'full'), {
        description:
          'With `full`, each delay is random, from 0 to the longest: `initialDelay × multiplier^(failures − 1)`, at ' +
          'most `maxDelay`. With `none`, it is the longest. `Retry-After` is a lower bound in both.',
      }),
      maxAge: described(z.optional(duration('1s', MAX_ERRAND_AGE)), {
        description:
          `At most \`${MAX_AGE}\`, by default \`${DEFAULT_MAX_AGE}\`; where an end is waited for, \`${MAX_ERRAND_AGE}\`, and ` +
          '`timeout` and 24 hours.',
      }),
      on: described(
        z._default(
          z
            .array(RetriedStatus)
            .check(z.maxLength(MAX_STATUSES, `must have at most ${MAX_STATUSES} statuses`)),
          [...DEFAULT_RETRY_ON],
        ),
        {
          description:
            'The statuses of responses of HTTP targets that are retried: statuses from 300 to 599, and the classes ' +
            '`3xx`, `4xx` and `5xx`. The list replaces the default. Any other status but 2xx fails the execution ' +
            'at once. Time-outs and network errors are retried in any case. A list other than the default requires ' +
            'an HTTP target.',
        },
      ),
    })
    .check(
      z.superRefine(({ initialDelay, maxDelay }, context) => {
        if (parseDuration(maxDelay) >= parseDuration(initialDelay)) return;
        const message = `${JSON.stringify(maxDelay)} must be at least initialDelay, ${JSON.stringify(initialDelay)}`;
        context.addIssue({ code: 'custom', path: ['maxDelay'], message });
      }),
    ),
  { id: 'RetryPolicy', description: 'When a failed attempt is followed by another one.' },
);

/** The policy of a task, whose work is never waited for. */
export const TaskRetry = z.pipe(
  RetryBody,
  z.transform(({ maxAge = DEFAULT_MAX_AGE, ...retry }: z.output<typeof RetryBody>) => ({ ...retry, maxAge })),
);

/** Why no attempt may start so long after the due time; undefined: it may. */
export function faultOfMaxAge(maxAge: string | undefined, target?: Target): string | undefined {
  if (maxAge === undefined || isErrandTarget(target)) return undefined;
  if (parseDuration(maxAge) <= parseDuration(MAX_AGE)) return undefined;
  return `${JSON.stringify(maxAge)} is out of range: must be from 1s to ${MAX_AGE}`;
}

/* Fields that jobs and the tasks of workflows have in common. */

/**
 * Bounds on one attempt. An executor waits for a response within its own time limit; a report may take
 * longer.
 */
export const MAX_TIMEOUT = '7d';
const MAX_SYNC_TIMEOUT = '14m';

const MAX_TARGETS = 10;
const TARGETS_ALLOWED = `must have 1 to ${MAX_TARGETS} targets`;

/** In place of one target. */
export const Targets = described(
  z.optional(
    z
      .array(CalledTargetBody)
      .check(z.minLength(1, TARGETS_ALLOWED), z.maxLength(MAX_TARGETS, TARGETS_ALLOWED)),
  ),
  { description: 'In place of `target`. Each target gets every occurrence and has an outcome of its own.' },
);

/** Why a time-out cannot bound an attempt at these targets; undefined: it can. */
export function faultOfTimeout(timeout: string | undefined, targets: readonly Target[]): string | undefined {
  if (timeout === undefined) return undefined;
  const [ofOne] = targets.map((target) => longestErrandOf(target) ?? longestMonitored(target));
  const mayReport = targets.some(
    (target) => target.type === 'worker' || reportingOf(target).mode === 'async',
  );
  const most = ofOne ?? (mayReport ? MAX_TIMEOUT : MAX_SYNC_TIMEOUT);
  if (parseDuration(timeout) <= parseDuration(most)) return undefined;
  const unless =
    most === MAX_SYNC_TIMEOUT ? ' unless a target has mode "async", type "worker", "wait" or "durable"' : '';
  return `${JSON.stringify(timeout)} is out of range: must be from 1s to ${most}${unless}`;
}

/** A monitored job may be at work as long as it may be late. */
export const defaultTimeout = ({ target, workflow }: { target?: Target; workflow?: object }): string =>
  target?.type === 'monitor' ? target.pingWithin : workflow ? '24h' : '5m';

/** What a monitored run takes is known up to this, and what an errand may take. */
const LONGEST_MONITORED = '72h';
const LONGEST_DURATION = '366d';

export const ExpectDurationBody = z
  .strictObject({
    min: z.optional(duration('1s', LONGEST_DURATION)),
    max: z.optional(duration('1s', LONGEST_DURATION)),
  })
  .check(
    z.refine(({ min, max }) => min !== undefined || max !== undefined, 'must have min, max or both'),
    z.superRefine(({ min, max }, context) => {
      if (min === undefined || max === undefined || parseDuration(min) <= parseDuration(max)) return;
      const message = `${JSON.stringify(max)} must be at least min, ${JSON.stringify(min)}`;
      context.addIssue({ code: 'custom', path: ['max'], message });
    }),
  );

interface WithDurations {
  expectDuration?: DurationBounds;
  target?: Target;
  workflow?: object;
  timeout?: string;
}

/** Bounds that no success can be out of, or none within: its time-out ends a run, or a monitored one. */
export function faultsOfDurations(body: WithDurations): { path: string[]; message: string }[] {
  const { expectDuration = {}, target, workflow, timeout = defaultTimeout(body) } = body;
  if (target?.type !== 'monitor' && !workflow) return [];
  const isLong = parseDuration(timeout) > parseDuration(LONGEST_MONITORED);
  const most = target?.type === 'monitor' && isLong ? LONGEST_MONITORED : timeout;
  const why = most === timeout ? ', the timeout' : ' for a monitor';
  return (['min', 'max'] as const).flatMap((field) => {
    const text = expectDuration[field];
    if (text === undefined || parseDuration(text) <= parseDuration(most)) return [];
    const message = `${JSON.stringify(text)} is out of range: must be from 1s to ${most}${why}`;
    return [{ path: ['expectDuration', field], message }];
  });
}
