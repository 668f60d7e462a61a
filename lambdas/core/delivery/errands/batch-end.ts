import { outputOf } from '../../domain/workflow/output';
import { stringIn } from './answers';
import { keptText } from '../../domain/target-result';
import type { ErrandEnd } from './errand-kind';

/** A job of Batch as its events and `DescribeJobs` show it, as far as its end depends on it. */
export interface BatchJob {
  jobId?: unknown;
  status?: unknown;
  statusReason?: unknown;
  container?: unknown;
  isCancelled?: unknown;
  isTerminated?: unknown;
}

/** The host is gone, or is taken away: that says nothing of the work. */
const HOST_LOST = /^Host EC2\b|\bSpot (?:Task|Instance) was interrupted\b/i;
/** An image that is not there will not be there for the next attempt. */
const NO_IMAGE = /CannotPull.*\b(?:manifest unknown|not found|repository does not exist)\b/i;

/** How a job has ended; undefined: it has not. A job that Batch tries again by itself has not ended. */
export function endOfJob(job: BatchJob): ErrandEnd | undefined {
  const { logStreamName } = (job.container ?? {}) as { logStreamName?: unknown };
  const [end, logs] = [endOf(job), stringIn(logStreamName)];
  return end && { ...end, ...(logs !== undefined && { logs }) };
}

function endOf({ status, jobId, statusReason, container, ...job }: BatchJob): ErrandEnd | undefined {
  const { exitCode, reason } = (container ?? {}) as { exitCode?: unknown; reason?: unknown };
  if (status === 'SUCCEEDED')
    return {
      how: 'succeeded',
      body: 'exit 0',
      output: outputOf({ jobId: stringIn(jobId) ?? '', exitCode: 0 }),
    };
  if (status !== 'FAILED') return undefined;
  const why = stringIn(statusReason) ?? '';
  const exit = typeof exitCode === 'number' ? `exit ${exitCode}` : '';
  const said = [exit, why, stringIn(reason) ?? ''].filter(Boolean).join(': ') || 'FAILED';
  const error = keptText(said, 'ofFailure');
  if (HOST_LOST.test(why)) return { how: 'lost', error };
  if (job.isTerminated === true || job.isCancelled === true) return { how: 'stopped', error };
  return {
    how: 'failed',
    error,
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(NO_IMAGE.test(said) && { isFatal: true }),
  };
}
