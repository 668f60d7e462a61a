import { SECOND_MS } from '../../clock/clock';
import { dateText, timeText } from '../../schedule/instant';
import type { ScheduleSpec } from '../../schedule/spec';
import { type Zone, zoneOf } from '../../schedule/zone';
import type { Actor } from '../actor';
import type { Ahead, Change, StepEvidence } from './facts';

const WEEKDAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'] as const;
const DAY_SEC = 86_400;

/** `Tue 2026-11-17 09:30` on the clocks of a zone; with seconds if they are not 0. UTC is named. */
export function timeIn(zone: Zone = zoneOf('UTC')): (ms: number) => string {
  return (ms) => {
    const sec = Math.floor(ms / SECOND_MS);
    const wallSec = sec + zone.segmentAt(sec).offsetSec;
    const weekday = WEEKDAYS[((Math.floor(wallSec / DAY_SEC) % 7) + 7) % 7]!;
    const name = zone.name === 'UTC' ? ' UTC' : '';
    return `${weekday} ${dateText(wallSec)} ${timeText(wallSec)}${name}`;
  };
}

const UNITS: readonly (readonly [sec: number, name: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** `41 ms`, `12 s`, `5 min`, `2 h 10 min`: a length in its two largest units. */
export function lengthText(ms: number): string {
  if (ms < 10 * SECOND_MS) return `${Math.round(ms)} ms`;
  const sec = Math.round(ms / SECOND_MS);
  const at = UNITS.findIndex(([unitSec]) => sec >= unitSec);
  const [unitSec, name] = UNITS[at]!;
  const next = UNITS[at + 1];
  const rest = next ? Math.floor((sec % unitSec) / next[0]) : 0;
  return `${Math.floor(sec / unitSec)} ${name}${rest > 0 ? ` ${rest} ${next![1]}` : ''}`;
}

/** A schedule in a few words: as its user wrote it, with its zone. */
export function scheduleText(spec: ScheduleSpec): string {
  if (typeof spec === 'string') return spec;
  switch (spec.type) {
    case 'cron':
      return `${spec.expression} in ${spec.timezone ?? 'UTC'}`;
    case 'interval':
      return `every ${spec.every}`;
    case 'at':
      return `once at ${spec.at}${spec.timezone === undefined ? '' : ` in ${spec.timezone}`}`;
    case 'delay':
      return `once, ${spec.delay} after the schedule was set`;
    case 'after':
      return `after ${spec.jobs.join(', ')}`;
    case 'event':
      return `at events ${spec.name}`;
    case 'none':
      return 'something else starts it';
  }
}

/** Who made a change: ` by bob@example.com`; empty if that is not known. */
export function byText(by: Actor | undefined): string {
  if (!by) return '';
  if (by.via === 'system') return ' by the system';
  const key = by.via === 'token' ? '' : ` with the ${by.via.replace(':', ' ')}`;
  return ` by ${by.name ?? by.sub}${key}`;
}

export const noteText = (note: string | undefined): string =>
  note === undefined ? '' : ` with the words “${note}”`;

/** Evidence: changes of the job, by their numbers. */
export function fromChanges(...changes: readonly (Change | undefined)[]): StepEvidence {
  const numbers = changes.flatMap((change) => (change ? [change.number] : []));
  const text = numbers.length > 1 ? `changes ${numbers.join(' and ')}` : `change ${numbers.join('')}`;
  return { text: `${text} of this job`, changes: numbers };
}

export const fromExecution = (execId: string): StepEvidence => ({ text: `execution ${execId}`, execId });

/** Evidence: an execution, of whichever job. */
export const fromAhead = ({ jobId, execId }: Ahead): StepEvidence => ({
  text: `execution ${execId} of ${jobId}`,
  execId,
  jobId,
});
