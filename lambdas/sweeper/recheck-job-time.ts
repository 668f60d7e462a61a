import { recheckExpectation } from '../core/alerts/expectations';
import type { Entry } from '../core/domain/entry';
import { expectationIn } from '../core/domain/expectation';
import type { Job } from '../core/domain/job';
import { resumptionIn } from '../core/domain/resumption';
import { resumeAsAsked } from '../core/job-writes/resume-paused';
import type { SweeperDeps } from './recheck';

/**
 * Rechecks the entry of a time that a job has beside its due times. It is to have a success by then, or is
 * resumed then.
 *
 * @returns false if the entry is for executions
 */
export async function recheckJobTime(
  entry: Entry,
  job: Job | undefined,
  deps: SweeperDeps,
): Promise<boolean> {
  const expected = expectationIn(entry);
  if (expected) await recheckExpectation(expected, job, deps);
  const asked = resumptionIn(entry);
  if (asked) await resumeAsAsked(asked, job, deps);
  return expected !== undefined || asked !== undefined;
}
