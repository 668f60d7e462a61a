import { createHash } from 'node:crypto';

import { SECOND_MS } from '../../core/clock/clock';
import { compactInstant, dayOf, jobRefOf } from '../../core/contracts/tables';
import type { AttemptTokenPayload } from '../../core/delivery/attempt-token';
import type { Execution } from '../../core/domain/execution';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { LogBody, MAX_CHUNK_BYTES, TRUNCATED_CHUNK } from '../../core/http/log';
import type { LogReceiptView } from '../../core/http/log-answers';
import { holdsLease } from '../../core/store/execution-store';
import type { LogAttempt, StoredLine } from '../../core/store/log-store';
import { attemptTokenOf, stale } from '../attempts/attempt-report';
import { canonicalJson } from '../http/json';
import { readBody } from '../http/parse-request';
import { conflict, tooLarge } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { withoutSecrets } from './without-secrets';

/** What is left of a log may come this long after the end of its lease. */
const LATE_MS = 60 * SECOND_MS;
/** The text of a chunk as JSON, with times and streams: 64 kB of text in 10,000 lines. */
const MAX_BODY_BYTES = 1_500_000;

/**
 * 200: the lines are kept, or the log is full. Throws `ProblemError` 409 if the lease ended more than a
 * minute ago, or if the chunk's number was used for other lines.
 */
export async function appendLog(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const token = await attemptTokenOf(request, deps);
  const body = readBody(request, LogBody, MAX_BODY_BYTES);
  const bytes = bytesOf(body.lines);
  if (bytes > MAX_CHUNK_BYTES)
    throw tooLarge('lines', `must have at most ${MAX_CHUNK_BYTES} bytes of text together, not ${bytes}`);
  const { lease } = token;
  const nowMs = deps.clock.nowMs();
  const execution = await deps.executions.get(lease);
  if (!execution || !mayStillWrite(execution, lease, nowMs)) throw stale(undefined);
  const attempt: LogAttempt = lease;
  const { userId } = jobRefOf(lease.jobKey);
  const room = await roomFor(attempt, userId, nowMs, deps);
  const lines = await withoutSecrets(
    body.lines.map(({ at = nowMs, stream, text }) => ({ atMs: at, stream, text })),
    token,
    deps,
  );
  const kept = fitting(lines, room.bytes);
  const until = Math.max(nowMs, execution.delegatedTo?.endsAtMs ?? 0);
  const expiresAtSec = expiresAtSecAfter(until, deps.retentionDays);
  const hash = createHash('sha256').update(canonicalJson(body.lines)).digest('base64url');
  const chunk = { ...refOf(attempt), chunk: body.chunk, lines: kept, hash };
  const written = await deps.logs.putChunk(chunk, expiresAtSec);
  if (written === 'different') throw conflict(`the chunk ${body.chunk} is on record with other lines`);
  const isFull = kept.length < lines.length;
  if (isFull) await markTruncated(attempt, nowMs, room.of, expiresAtSec, deps);
  const sum =
    written === 'written'
      ? await addUp(attempt, userId, bytesOf(kept), expiresAtSec, deps)
      : await deps.logs.bytesOf(attempt);
  return { status: 200, body: { bytes: sum, truncated: isFull } satisfies LogReceiptView };
}

const refOf = ({ jobKey, execId, attempt, fence }: LogAttempt): LogAttempt => ({
  jobKey,
  execId,
  attempt,
  fence,
});

const bytesOf = (lines: readonly { text: string }[]): number =>
  lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** Whether the attempt has the lease, or has ended a moment ago. */
function mayStillWrite(execution: Execution, lease: AttemptTokenPayload['lease'], nowMs: number): boolean {
  if (holdsLease(execution, lease)) return true;
  return execution.attempts.some(
    ({ fence, finishedAtMs }) => fence === lease.fence && nowMs - finishedAtMs <= LATE_MS,
  );
}

/** How much more is kept, of the attempt and of the project's day. */
async function roomFor(
  attempt: LogAttempt,
  userId: string,
  nowMs: number,
  { logs, deployment: { quotas } }: ApiDeps,
): Promise<{ bytes: number; of: string }> {
  const [ofAttempt, ofDay] = await Promise.all([
    logs.bytesOf(attempt),
    logs.bytesOfDay(userId, dayOf(compactInstant(nowMs))),
  ]);
  const left = quotas.logBytesPerAttempt - ofAttempt;
  const leftToday = quotas.logBytesPerDay - ofDay;
  return leftToday < left
    ? { bytes: leftToday, of: `the quota of ${quotas.logBytesPerDay} bytes a day` }
    : { bytes: left, of: `the limit of ${quotas.logBytesPerAttempt} bytes an attempt` };
}

/** The first lines that fit. */
function fitting(lines: readonly StoredLine[], room: number): StoredLine[] {
  let left = room;
  const end = lines.findIndex(({ text }) => (left -= Buffer.byteLength(text)) < 0);
  return end < 0 ? [...lines] : lines.slice(0, end);
}

/** One line at the end of the log, however often it is full. */
async function markTruncated(
  attempt: LogAttempt,
  nowMs: number,
  of: string,
  expiresAtSec: number,
  { logs }: ApiDeps,
): Promise<void> {
  const line: StoredLine = { atMs: nowMs, stream: 'system', text: `truncated: the log has reached ${of}` };
  const chunk = { ...refOf(attempt), chunk: TRUNCATED_CHUNK, lines: [line], hash: 'truncated' };
  await logs.putChunk(chunk, expiresAtSec);
}

const DAY_KEPT = 3;

async function addUp(
  attempt: LogAttempt,
  userId: string,
  bytes: number,
  expiresAtSec: number,
  { logs, clock }: ApiDeps,
): Promise<number> {
  const nowMs = clock.nowMs();
  const [sum] = await Promise.all([
    logs.addBytes(attempt, bytes, expiresAtSec),
    logs.addBytesOfDay(userId, dayOf(compactInstant(nowMs)), bytes, expiresAtSecAfter(nowMs, DAY_KEPT)),
  ]);
  return sum;
}
