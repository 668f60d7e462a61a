import { createHash } from 'node:crypto';

import type { ClaimedWork } from '../../core/attempts/claim-ticket';
import { instantText } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import { sealAttemptToken } from '../../core/delivery/attempt-token';
import { workerTargetOf } from '../../core/domain/work';
import { runOf, taskRefOf } from '../../core/domain/workflow/task-id';
import type { WorkView } from '../../core/http/work-answers';

/** Claimed work as its worker gets it. The same claim gives the same view. */
export function workView({ execution, lease, job }: ClaimedWork, deploymentSecret: Buffer): WorkView {
  const { execId, attempt, fence, dueAtMs, claimedAtMs = dueAtMs, delegatedTo, trigger } = execution;
  const task = taskRefOf(execId);
  const payload = execution.payload ? execution.payload.value : job.payload;
  return {
    token: sealAttemptToken(lease, deploymentSecret),
    jobId: jobRefOf(execution.jobKey).jobId,
    execId: runOf(execId),
    ...(task && { taskId: task.task }),
    attempt,
    fence,
    dueAt: instantText(dueAtMs),
    claimedAt: instantText(claimedAtMs),
    deadline: instantText(delegatedTo?.endsAtMs ?? claimedAtMs),
    heartbeatTimeout: workerTargetOf(job)!.heartbeatTimeout,
    ...(payload !== undefined && { payload }),
    trigger,
    traceparent: traceparentOf(lease.claimId),
  };
}

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/** Follows from the claim, so that a repeated answer names the same trace. */
function traceparentOf(claimId: string): string {
  const digits = createHash('sha256').update(`trace\n${claimId}`).digest('hex');
  return `00-${digits.slice(0, TRACE_DIGITS)}-${digits.slice(TRACE_DIGITS, TRACE_DIGITS + SPAN_DIGITS)}-01`;
}
