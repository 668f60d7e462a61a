import { calendarsNamedBy } from '../../schedule/calendar-rules';
import { parseSchedule } from '../../schedule/parse';
import type { PlannedSchedule } from '../../schedule/planned-schedule';
import type { ScheduleContext } from '../../schedule/schedule';
import type { ScheduleSpec } from '../../schedule/spec';
import { isPlannedAt } from '../planned-times';
import type { Change, Facts } from './facts';

/** A definition with its schedule, and the changes between which it was current. */
export interface Definition {
  change: Change;
  /** The change that ended it; absent: it is current now. */
  until?: Change;
  spec: ScheduleSpec;
  scheduleChangedAtMs: number;
  schedule: PlannedSchedule;
  context: ScheduleContext;
}

/**
 * What was current at an instant. `missing`: a change that would tell is not kept any more. `erased`: its
 * definition was deleted. `none`: there was no job; `before` is the change that deleted it, if there was one.
 */
export type CurrentDefinition =
  | { state: 'known'; definition: Definition }
  | { state: 'none'; before?: Change; after?: Change }
  | { state: 'missing' }
  | { state: 'erased'; change: Change };

/** What the timeline of a job is made from. */
type Timeline = Pick<
  Facts,
  'jobKey' | 'changes' | 'hasOlderChanges' | 'exists' | 'retainedFromMs' | 'calendars'
>;

/** A change at the very instant of an occurrence is later than it: only later occurrences follow it. */
export function currentAt(facts: Timeline, atMs: number): CurrentDefinition {
  const { changes } = facts;
  const index = changes.findLastIndex((change) => change.atMs < atMs);
  const change = changes[index];
  const next = changes[index + 1];
  if (!change) return beforeFirst(facts, atMs);
  if (change.what === 'deleted') return { state: 'none', before: change, ...(next && { after: next }) };
  if (!next && !facts.exists) return { state: 'missing' };
  if (next && next.createdAtMs === change.createdAtMs && next.number > change.number + 1)
    return { state: 'missing' };
  if (next && next.createdAtMs !== change.createdAtMs) return { state: 'missing' };
  return knownAt(facts, index);
}

const namesCalendars = (spec: ScheduleSpec): boolean =>
  typeof spec !== 'string' &&
  (spec.type === 'cron' || spec.type === 'interval') &&
  calendarsNamedBy(spec).length > 0;

/** The definition after one change. `missing`: the calendars by which it was planned are not kept. */
export function knownAt({ changes, jobKey, calendars: present }: Timeline, index: number): CurrentDefinition {
  const change = changes[index]!;
  const next = changes[index + 1];
  const { definition, scheduleChangedAtMs } = change;
  if (!definition || scheduleChangedAtMs === undefined) return { state: 'erased', change };
  const { schedule: spec } = definition;
  const calendars = change.calendars ?? (next === undefined ? present : undefined);
  if (namesCalendars(spec) && !calendars) return { state: 'missing' };
  const context = { jobKey, changedAtMs: scheduleChangedAtMs, ...(calendars && { calendars }) };
  const schedule = parseSchedule(spec, context);
  return {
    state: 'known',
    definition: { change, spec, scheduleChangedAtMs, schedule, context, ...(next && { until: next }) },
  };
}

/** Whether the definition plans an occurrence at exactly this instant, `maxRuns` counted. */
export const plans = ({ scheduleChangedAtMs, schedule }: Definition, atMs: number): boolean =>
  atMs > scheduleChangedAtMs && isPlannedAt({ scheduleChangedAtMs }, schedule, atMs);

function beforeFirst(facts: Timeline, atMs: number): CurrentDefinition {
  const [first] = facts.changes;
  const mayBeGone = facts.hasOlderChanges || atMs < facts.retainedFromMs;
  if (!first || mayBeGone || (first.what !== 'created' && atMs > first.createdAtMs))
    return { state: 'missing' };
  return { state: 'none', after: first };
}

/** The pause during which an occurrence was due: its first change, and the change that ended it. */
export function pauseAt(
  { changes }: Pick<Facts, 'changes'>,
  atMs: number,
): { paused: Change; ended?: Change } | undefined {
  const index = changes.findLastIndex((change) => change.atMs < atMs);
  const { status, pausedUntilMs = Number.POSITIVE_INFINITY } = changes[index] ?? {};
  if (status !== 'paused' || pausedUntilMs <= atMs) return undefined;
  let from = index;
  while (changes[from - 1]?.status === 'paused') from--;
  const ended = changes.slice(index + 1).find(({ status }) => status !== 'paused');
  return { paused: changes[from]!, ...(ended && { ended }) };
}

/** The first change after an instant that began another generation: an end of what was planned before. */
export const nextGeneration = ({ changes }: Pick<Facts, 'changes'>, atMs: number): Change | undefined => {
  const index = changes.findLastIndex((change) => change.atMs < atMs);
  const before = changes[index];
  // A pause that was over by then is no state of the occurrence, and its end is no change of it.
  const status = before?.status === 'paused' && !pauseAt({ changes }, atMs) ? 'active' : before?.status;
  return changes
    .slice(index + 1)
    .find(
      (change) =>
        change.what === 'deleted' ||
        change.status !== status ||
        JSON.stringify(change.definition?.schedule) !== JSON.stringify(before?.definition?.schedule),
    );
};
