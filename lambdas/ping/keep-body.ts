import { createHash } from 'node:crypto';

import { appendLines, type LogDeps, type LogLimits } from '../core/attempts/append-lines';
import { SECOND_MS } from '../core/clock/clock';
import { chunksOf } from '../core/async/chunks';
import type { Execution } from '../core/domain/execution';
import { expiresAtSecAfter } from '../core/domain/timing';
import type { StoredLine } from '../core/store/log-store';

/** The log has so many bytes of a body. */
export const BODY_LIMIT = 100_000;
/** A row holds 400 KB: half of a body of the shortest lines fits. */
const MAX_LINES = 2_000;
/** Two chunks a second. */
const CHUNKS = 2;
/** A body finds the numbers of its second taken: it has those of one of the next seconds. */
const MAX_TRIES = 10;

/** Keeps the body of a ping in the log of its execution, as far as the limits of logs allow. */
export async function keepBody(
  { jobKey, execId, attempt, fence, dueAtMs }: Execution,
  body: Uint8Array,
  limits: LogLimits,
  deps: LogDeps,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const lines = linesOf(body.subarray(0, BODY_LIMIT), nowMs);
  const expiresAtSec = expiresAtSecAfter(nowMs, deps.retentionDays);
  const second = Math.max(0, Math.floor((nowMs - dueAtMs) / SECOND_MS)) % SECONDS;
  // Parts stay in order: the next one begins at the second where the last one fitted.
  let tries = 0;
  for (const [index, part] of partsOf(lines, body.length).entries()) {
    const hash = createHash('sha256').update(JSON.stringify(part)).digest('base64url');
    const chunk = { jobKey, execId, attempt, fence, lines: part, hash };
    for (; ; tries++) {
      if (tries === MAX_TRIES) throw new Error('the numbers of its chunks are taken');
      const number = (second + tries) * CHUNKS + index;
      const { written } = await appendLines({ ...chunk, chunk: number }, expiresAtSec, limits, deps);
      if (written !== 'different') break;
    }
  }
}

/** What fits into a row is one: each costs as much as a small body. */
const partsOf = (lines: StoredLine[], bytes: number): StoredLine[][] =>
  lines.length <= MAX_LINES / CHUNKS && bytes <= BODY_LIMIT / CHUNKS
    ? [lines]
    : chunksOf(lines, Math.ceil(lines.length / CHUNKS));

/** The numbers of chunks end at a million. */
const SECONDS = 400_000;

/** A text by its lines; other bytes as base64, which the first line says. */
function linesOf(body: Uint8Array, atMs: number): StoredLine[] {
  const line = (text: string): StoredLine => ({ atMs, stream: 'stdout', text });
  const text = textOf(body);
  if (text === undefined)
    return [
      line(`${body.length} bytes that are no UTF-8, in base64:`),
      line(Buffer.from(body).toString('base64')),
    ];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const kept =
    lines.length <= MAX_LINES
      ? lines
      : [...lines.slice(0, MAX_LINES - 1), lines.slice(MAX_LINES - 1).join(' ')];
  return kept.map(line);
}

/** Undefined: it is no UTF-8. A character that the limit has cut is left out. */
function textOf(body: Uint8Array): string | undefined {
  for (let cut = 0; cut < MAX_CUT; cut++) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(body.subarray(0, body.length - cut));
    } catch {
      if (body.length < BODY_LIMIT) return undefined;
    }
  }
  return undefined;
}

/** A character has four bytes at most. */
const MAX_CUT = 4;
