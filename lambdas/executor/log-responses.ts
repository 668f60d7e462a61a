import { appendLines, type LogDeps, type LogLimits } from '../core/attempts/append-lines';
import { RESPONSE_CHUNK } from '../core/contracts/work-keys';
import type { StageDeps } from '../core/deps';
import type { TargetOutcome } from '../core/domain/attempt-records';
import type { Execution } from '../core/domain/execution';
import { type BeyondBody, LOGGED_BYTES } from '../core/domain/target-result';
import { expiresAtSecAfter } from '../core/domain/timing';
import type { StoredLine } from '../core/store/log-store';

export interface ResponseLogDeps extends LogDeps, Pick<StageDeps, 'log'> {
  logLimits: LogLimits;
}

/**
 * Writes what follows the kept part of responses into the log. Failures count if the execution has failed,
 * and successes as far as their targets ask for it. It comes after the end, so a crash before it loses it. A
 * log that cannot be written changes nothing else.
 */
export async function logResponses(
  execution: Execution,
  outcomes: readonly TargetOutcome[],
  { hasFailed, of }: { hasFailed: boolean; of: number },
  deps: ResponseLogDeps,
): Promise<void> {
  for (const { target, result } of outcomes) {
    const { beyondBody, outcome, statusCode } = result;
    if (!beyondBody || (outcome !== 'succeeded' && !hasFailed)) continue;
    const title = `the rest of the response${of > 1 ? ` of target ${target}` : ''}, status ${statusCode}:`;
    await logResponse(execution, target, linesOf(title, beyondBody, deps.clock.nowMs()), deps);
  }
}

function linesOf(title: string, { text, isCut }: BeyondBody, atMs: number): StoredLine[] {
  const system = (line: string): StoredLine => ({ atMs, stream: 'system', text: line });
  return [
    system(title),
    ...text.split(/\r?\n/).map((line): StoredLine => ({ atMs, stream: 'stdout', text: line })),
    ...(isCut ? [system(`the response goes on: ${LOGGED_BYTES} bytes of its rest are kept`)] : []),
  ];
}

async function logResponse(
  { jobKey, execId, attempt, fence }: Execution,
  target: number,
  lines: readonly StoredLine[],
  deps: ResponseLogDeps,
): Promise<void> {
  const chunk = { jobKey, execId, attempt, fence, chunk: RESPONSE_CHUNK + target, lines, hash: 'response' };
  const expiresAtSec = expiresAtSecAfter(deps.clock.nowMs(), deps.retentionDays);
  try {
    await appendLines(chunk, expiresAtSec, deps.logLimits, deps);
  } catch (error) {
    deps.log.error('a response could not be logged', error, { jobKey, execId, attempt, fence });
  }
}
