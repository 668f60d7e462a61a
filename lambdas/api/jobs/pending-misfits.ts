import { isDeepStrictEqual } from 'node:util';

import { jobKeyOf } from '../../core/contracts/tables';
import type { Job } from '../../core/domain/job';
import { enteringPayload, fitOf } from '../../core/domain/payload-fit';
import { isUnstarted } from '../../core/domain/work';
import type { ExecutionStore } from '../../core/store/execution-store';

/** How many runs wait with a payload that a changed schema does not fit, of how many that were read. */
export interface PendingMisfits {
  count: number;
  of: number;
}

/** The newest executions of a job: those that are due later come first. */
const MOST_ROWS = 500;

/**
 * What waits for a job whose schema changes, with a payload that the new schema does not fit. It would get to
 * its target: a payload is checked once, when it enters. Undefined if the schema stays as it is.
 *
 * Cost: the reads of one page of executions, only if the schema changes.
 */
export async function pendingMisfits(
  current: Job | undefined,
  next: Job,
  { executions }: { executions: Pick<ExecutionStore, 'list'> },
): Promise<PendingMisfits | undefined> {
  const isSame = isDeepStrictEqual(current?.payloadSchema, next.payloadSchema);
  if (!current || !next.payloadSchema || next.workflow || isSame) return undefined;
  const page = await executions.list(jobKeyOf(next), { order: 'desc', limit: MOST_ROWS });
  const waiting = page.executions.filter(isUnstarted);
  let count = 0;
  for (const { payload } of waiting) {
    const brought = enteringPayload(next, payload);
    if (brought && (await fitOf(next, brought.value)).is !== 'fits') count += 1;
  }
  return { count, of: waiting.length };
}
