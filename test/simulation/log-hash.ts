import { createHash } from 'node:crypto';

import type { LogRecord } from './log';

const sha256 = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('')).digest('hex');

/** SHA-256 of all records: equal for equal runs. */
export const hashOf = (records: readonly LogRecord[]): string =>
  sha256(records.map((record) => `${JSON.stringify(record)}\n`));

/** SHA-256 of all records, whatever order those of one millisecond have. */
export function hashByTime(records: readonly LogRecord[]): string {
  const lines = records.map(({ t, n: _, ...happening }) => [t, `${JSON.stringify(happening)}\n`] as const);
  lines.sort(([atMs, one], [otherMs, other]) => atMs - otherMs || (one < other ? -1 : 1));
  return sha256(lines.map(([t, line]) => `${t} ${line}`));
}
