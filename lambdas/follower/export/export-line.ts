import { createHash } from 'node:crypto';

import { instantText } from '../../core/clock/clock';
import type { HistoryExport } from '../../core/contracts/history-export';
import { jobRefOf } from '../../core/contracts/tables';
import { traceOfExecution } from '../../core/delivery/trace-ids';
import { attemptsOf, isPlanned } from '../../core/domain/execution';
import { endedAtMs, type EndSeen } from '../../core/domain/journal-end';
import { runOf, taskRefOf } from '../../core/domain/workflow/task-id';

/** What a line is made with. */
export interface LineSettings extends Pick<HistoryExport, 'include'> {
  /** The secret from which the ids of traces follow. */
  secret: Buffer;
}

/**
 * A line about an end. Every column is always there; columns are only added. Of lines with one key, the one
 * with the highest version counts: a line may come again, and a skipped range grows.
 */
export function exportLineOf(ended: EndSeen, { include, secret }: LineSettings): Record<string, unknown> {
  const { jobKey, execId, userRetries = 0, fence, startedAtMs, latenessMs, skipped } = ended;
  const { userId: project, jobId } = jobRefOf(jobKey);
  const finishedAtMs = endedAtMs(ended);
  const task = taskRefOf(execId);
  return {
    v: 1,
    key: keyOf([project, jobId, execId, userRetries, fence]),
    version: skipped?.count ?? 0,
    project,
    jobId,
    execId: runOf(execId),
    taskId: task ? execId.slice(task.run.length + 1) : null,
    trigger: ended.trigger,
    status: ended.status,
    reason: ended.reason ?? null,
    dueAt: instantText(ended.dueAtMs),
    startedAt: startedAtMs === undefined ? null : instantText(startedAtMs),
    finishedAt: instantText(finishedAtMs),
    attempts: attemptsOf(ended),
    fence,
    userRetries,
    statusCode: ended.result?.statusCode ?? null,
    durationMs: startedAtMs === undefined ? null : Math.max(0, finishedAtMs - startedAtMs),
    latenessMs: latenessMs ?? null,
    tags: ended.tags ?? null,
    runTags: ended.runTags ?? [],
    externalId: ended.externalId ?? null,
    traceId: traceIdOf(ended, secret),
    skipped: skipped
      ? { from: instantText(skipped.fromMs), to: instantText(skipped.toMs), count: skipped.count }
      : null,
    ...(include.includes('payload') && { payload: ended.payload ? ended.payload.value : null }),
    ...(include.includes('output') && { output: outputOf(ended) }),
  };
}

const keyOf = (parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** A task is in the trace of its run, which its own row does not know. What never ran has none. */
const traceIdOf = (ended: EndSeen, secret: Buffer): string | null =>
  taskRefOf(ended.execId) || (ended.fence === 0 && isPlanned(ended.trigger))
    ? null
    : traceOfExecution(ended, secret, null).traceId;

const outputOf = ({ output }: EndSeen): unknown =>
  output === undefined ? null : (JSON.parse(output) as unknown);
