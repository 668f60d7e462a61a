import { allEnded } from '../async/all-ended';
import { compactInstant, dayOf, jobRefOf } from '../contracts/tables';
import type { QuotaLimits } from '../contracts/quotas';
import { TRUNCATED_CHUNK } from '../contracts/work-keys';
import type { StageDeps } from '../deps';
import { expiresAtSecAfter } from '../domain/timing';
import type { LogAttempt, LogChunk, LogStore, StoredLine } from '../store/log-store';

export type LogLimits = Pick<QuotaLimits, 'logBytesPerAttempt' | 'logBytesPerDay'>;

export interface LogDeps extends Pick<StageDeps, 'clock' | 'retentionDays'> {
  logs: LogStore;
}

/** What became of a chunk. `bytes`: the text of the attempt so far. `isFull`: some lines did not fit. */
export interface Appended {
  written: 'written' | 'exists' | 'different';
  bytes: number;
  isFull: boolean;
}

/**
 * Appends a chunk to the log of an attempt, as far as the limits of the attempt and of the project's day
 * allow. A log that is full says so in one line at its end, however often it is full.
 *
 * Cost: 3 reads, and 3 writes for a chunk of up to 1 KB.
 */
export async function appendLines(
  chunk: LogChunk,
  expiresAtSec: number,
  limits: LogLimits,
  deps: LogDeps,
): Promise<Appended> {
  const { logs, clock } = deps;
  const attempt: LogAttempt = chunk;
  const { userId } = jobRefOf(chunk.jobKey);
  const nowMs = clock.nowMs();
  const room = await roomFor(attempt, userId, nowMs, limits, logs);
  const lines = fitting(chunk.lines, room.bytes);
  const written = await logs.putChunk({ ...chunk, lines }, expiresAtSec);
  if (written === 'different') return { written, bytes: 0, isFull: false };
  const isFull = lines.length < chunk.lines.length;
  if (isFull) await markTruncated(attempt, nowMs, room.of, expiresAtSec, logs);
  const bytes =
    written === 'written'
      ? await addUp(attempt, userId, bytesOf(lines), expiresAtSec, deps)
      : await logs.bytesOf(attempt);
  return { written, bytes, isFull };
}

export const bytesOf = (lines: readonly { text: string }[]): number =>
  lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** How much more is kept, of the attempt and of the project's day. */
async function roomFor(
  attempt: LogAttempt,
  userId: string,
  nowMs: number,
  { logBytesPerAttempt, logBytesPerDay }: LogLimits,
  logs: LogStore,
): Promise<{ bytes: number; of: string }> {
  const [ofAttempt, ofDay] = await Promise.all([
    logs.bytesOf(attempt),
    logs.bytesOfDay(userId, dayOf(compactInstant(nowMs))),
  ]);
  const left = logBytesPerAttempt - ofAttempt;
  const leftToday = logBytesPerDay - ofDay;
  return leftToday < left
    ? { bytes: leftToday, of: `the quota of ${logBytesPerDay} bytes a day` }
    : { bytes: left, of: `the limit of ${logBytesPerAttempt} bytes an attempt` };
}

/** The first lines that fit. */
function fitting(lines: readonly StoredLine[], room: number): StoredLine[] {
  let left = room;
  const end = lines.findIndex(({ text }) => (left -= Buffer.byteLength(text)) < 0);
  return end < 0 ? [...lines] : lines.slice(0, end);
}

async function markTruncated(
  { jobKey, execId, attempt, fence }: LogAttempt,
  nowMs: number,
  of: string,
  expiresAtSec: number,
  logs: LogStore,
): Promise<void> {
  const line: StoredLine = { atMs: nowMs, stream: 'system', text: `truncated: the log has reached ${of}` };
  const chunk = { jobKey, execId, attempt, fence, chunk: TRUNCATED_CHUNK, lines: [line], hash: 'truncated' };
  await logs.putChunk(chunk, expiresAtSec);
}

const DAY_KEPT = 3;

async function addUp(
  attempt: LogAttempt,
  userId: string,
  bytes: number,
  expiresAtSec: number,
  { logs, clock }: LogDeps,
): Promise<number> {
  const nowMs = clock.nowMs();
  const [sum] = await allEnded([
    logs.addBytes(attempt, bytes, expiresAtSec),
    logs.addBytesOfDay(userId, dayOf(compactInstant(nowMs)), bytes, expiresAtSecAfter(nowMs, DAY_KEPT)),
  ]);
  return sum;
}
