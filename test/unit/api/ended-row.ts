import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import type { SkippedRange } from '../../../lambdas/core/domain/execution';
import type { Reason } from '../../../lambdas/core/domain/reason';
import { anAttempt, anExecution } from '../../support/factories';
import type { ApiWorld } from './world';

interface Ran {
  status?: 'succeeded' | 'failed';
  reason?: Reason;
  lateMs?: number;
  durationMs?: number;
}

/** Writes the row of an execution that has ended after one attempt, by default a success. */
export async function putEnded(
  world: ApiWorld,
  jobId: string,
  dueAtMs: number,
  { status = 'succeeded', reason, lateMs = 20, durationMs = 500 }: Ran = {},
): Promise<string> {
  const execId = execIdOfOccurrence(dueAtMs);
  const jobKey = world.jobKey(jobId);
  const claimId = `claim-${execId}`;
  const startedAtMs = dueAtMs + lateMs;
  const finishedAtMs = startedAtMs + durationMs;
  await world.deps.executions.claim({
    jobKey,
    execId,
    attempt: 1,
    claimId,
    trigger: 'schedule',
    dueAtMs,
    nowMs: startedAtMs,
  });
  const outcome = status === 'succeeded' ? 'succeeded' : 'fatal';
  await world.deps.ends.finish(
    { jobKey, execId, claimId, fence: 1, attempt: 1 },
    { status, reason, finishedAtMs, expiresAtSec: 2e9 },
    [anAttempt({ startedAtMs, finishedAtMs, outcome, statusCode: undefined })],
  );
  return execId;
}

/** Writes the row of a range that misfired. */
export const putSkipped = (world: ApiWorld, jobId: string, skipped: SkippedRange) =>
  world.deps.ends.putEnded(
    anExecution({
      jobKey: world.jobKey(jobId),
      dueAtMs: skipped.fromMs,
      status: 'skipped',
      reason: 'misfire',
      finishedAtMs: skipped.toMs,
      fence: 0,
      attempts: [],
      startedAtMs: undefined,
      startAtMs: undefined,
      latenessMs: undefined,
      skipped,
    }),
  );
