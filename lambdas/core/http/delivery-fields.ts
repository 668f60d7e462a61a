import * as z from 'zod/mini';

import { reportingOf, type Target } from '../domain/target';
import { parseDuration } from '../schedule/duration';
import { described } from './fields';
import { CalledTargetBody } from './target';

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
  const mayReport = targets.some(
    (target) => target.type === 'worker' || reportingOf(target).mode === 'async',
  );
  const most = mayReport ? MAX_TIMEOUT : MAX_SYNC_TIMEOUT;
  if (parseDuration(timeout) <= parseDuration(most)) return undefined;
  const unless = mayReport ? '' : ' unless a target has mode "async" or type "worker"';
  return `${JSON.stringify(timeout)} is out of range: must be from 1s to ${most}${unless}`;
}
