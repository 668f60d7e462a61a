import { HORIZON } from '../../../lambdas/core/contracts/horizon';
import { jobKeyOf, minuteOf } from '../../../lambdas/core/contracts/tables';
import { type Entry, entrySortKey } from '../../../lambdas/core/domain/entry';
import { expectationIn, firstExpectation } from '../../../lambdas/core/domain/expectation';
import type { Cursor } from '../../../lambdas/core/store/schedule-store';
import { isPlanned, scheduleIn, type Story } from '../story';
import { broken, clockTime, open, type Violation } from '../violation';

const MINUTES_BEHIND = 2;
const HORIZON_MS = HORIZON.usualSec * 1_000;
const THAWING_MS = 50;
const STUCK_AFTER_MS = 60_000;

/** At the end, every active job has an entry for its next occurrence. */
export function checkFutureEntries(story: Story): Violation[] {
  return story.end.jobs.flatMap((job) => {
    const jobKey = jobKeyOf(job);
    const nextMs = job.status === 'active' ? scheduleIn(job, jobKey).next(story.endMs) : undefined;
    if (nextMs === undefined || !isPlanned(job, jobKey, nextMs)) return [];
    const has = story.end.entries.some(
      (entry) =>
        entry.kind === 'occurrence' &&
        !entry.catchUp &&
        entry.jobKey === jobKey &&
        entry.revision === job.revision &&
        entry.dueAtMs <= nextMs &&
        nextMs <= entry.throughMs,
    );
    return has ? [] : [open('future-entry', `${jobKey} has no entry for ${clockTime(nextMs)}`)];
  });
}

/** At the end, every active job that is to succeed every so often has the entry by which it is asked. */
export function checkExpectations({ end }: Story): Violation[] {
  const sweeps = new Map(end.cursors.flatMap((one) => (one.kind === 'sweep' ? [[one.shard, one]] : [])));
  return end.jobs.flatMap((job) => {
    const expected = firstExpectation(job);
    if (!expected) return [];
    const jobKey = jobKeyOf(job);
    const has = end.entries.some((entry) => {
      const sweep = sweeps.get(entry.shard);
      return (
        entry.jobKey === jobKey &&
        expectationIn(entry)?.sinceMs === expected.sinceMs &&
        (!sweep || isAhead(positionOf(entry), sweep))
      );
    });
    return has ? [] : [open('future-entry', `${jobKey} has no entry of its expectEvery`)];
  });
}

/** Cursors never go back. At the end they have caught up. */
export function checkCursors(story: Story): Violation[] {
  const violations: Violation[] = [];
  const seen = new Map<string, Cursor>();
  const thaws: number[] = [];
  for (const record of story.records) {
    if (record.src === 'stage' && record.forMs !== undefined) thaws.push(record.t + record.forMs);
    if (record.src !== 'table') continue;
    if (record.type === 'cursor') {
      const { cursor } = record;
      const name = `${cursor.kind} cursor of shard ${cursor.shard}`;
      const before = seen.get(name);
      if (before && !isAhead(cursor, before)) {
        violations.push(broken('cursor', `${name} went back at ${clockTime(record.t)}`));
      }
      seen.set(name, cursor);
    } else if (record.type === 'entry') {
      const { entry } = record;
      const sweep = seen.get(`sweep cursor of shard ${entry.shard}`);
      const position = positionOf(entry);
      // A write that was about to be sent when its node froze goes out at the thaw. Its caller has given it
      // up.
      const thawed = thaws.some((thawMs) => thawMs <= record.t && record.t < thawMs + THAWING_MS);
      if (sweep && !story.conditions.wildClocks && !thawed && !isAhead(position, sweep)) {
        const detail = `${entry.jobKey} ${position.after} at ${clockTime(record.t)}`;
        violations.push(broken('behind-the-sweep', detail));
      }
    }
  }
  for (const { kind, shard, minute } of story.end.cursors) {
    if (shard >= story.end.shards) continue; // created for a shard count that never became active
    const dueMinute = minuteOf(story.endMs + (kind === 'scan' ? HORIZON_MS : 0)) - MINUTES_BEHIND;
    if (minute < dueMinute) violations.push(open('cursor', `${kind} cursor of shard ${shard} is behind`));
  }
  return violations;
}

type Position = Pick<Cursor, 'minute' | 'after'>;
export const positionOf = (entry: Entry): Position => ({
  minute: minuteOf(entry.checkAtMs),
  after: entrySortKey(entry),
});
export const isAhead = (one: Position, of: Position): boolean =>
  one.minute > of.minute || (one.minute === of.minute && one.after > of.after);

/** At the end, no message waits, and none is a dead letter. */
export function checkDrained({ end, conditions }: Story): Violation[] {
  const waits = (end.queued.oldestMs ?? 0) > STUCK_AFTER_MS;
  return [
    ...(waits ? [open('drained', `a message has waited for ${end.queued.oldestMs} ms`)] : []),
    ...(end.deadLetters > 0 && !conditions.wildClocks
      ? [broken('drained', `${end.deadLetters} dead letters`)]
      : []),
  ];
}
