import { type Clock, QUARTER_MS } from './clock';
import { all, type Component, only } from './components';
import { IcsError } from './ics-error';
import { occurrences, type StepBudget } from './occurrences';
import { recurrenceRule } from './recurrence-rule';
import { dayText, DAY_MS, momentIn, momentOf, SECOND_MS, UTC } from './values';

export interface DefinitionOptions {
  /** The time in which definitions are compared with the zones that they name. */
  startMs: number;
  endMs: number;
  budget: StepBudget;
}

interface Change {
  atMs: number;
  before: number;
  after: number;
}

/** Changes of zones before this are not counted. No event of interest is as old. */
const FIRST_CHANGE_MS = Date.UTC(2000, 0, 1);

/** The clock that a VTIMEZONE defines: its offset since the last change. */
export function definedClock(component: Component, options: DefinitionOptions): Clock {
  const changes = changesIn(component, options);
  if (changes.length === 0) throw new IcsError('VTIMEZONE defines no offset', component.line);
  return {
    offsetMs: (atMs) => changes.findLast((change) => change.atMs <= atMs)?.after ?? changes[0]!.before,
  };
}

/**
 * Refuses a VTIMEZONE that contradicts the clock of its name. It has an offset that the zone never has, or
 * changes at other times. One with a single offset says nothing of changes: many programs write such ones.
 */
export function checkDefinition(
  component: Component,
  { name, clock }: { name: string; clock: Clock },
  options: DefinitionOptions,
): void {
  const found = differenceFrom(clock, component, options);
  if (!found) return;
  const meant = clock.name ?? 'as defined before';
  const zone = `${JSON.stringify(name.slice(0, 64))}${meant === name ? '' : ` (${meant})`}`;
  throw new IcsError(
    `VTIMEZONE gives ${zone} the offset ${offsetText(found.stated)} on ${dayText(found.atMs + found.actual)}, ` +
      `where that zone has ${offsetText(found.actual)}: rename, correct or delete the VTIMEZONE`,
    component.line,
  );
}

interface Difference {
  atMs: number;
  stated: number;
  actual: number;
}

function differenceFrom(
  { offsetMs }: Clock,
  component: Component,
  { startMs, endMs, budget }: DefinitionOptions,
): Difference | undefined {
  // a year more, so that a rule without end covers the last days
  const options = { startMs, endMs: endMs + YEAR_MS, budget };
  const stated = changesIn(component, options);
  const [first] = stated;
  if (!first) return undefined;
  const clock = definedClock(component, options);
  const days = daysBetween(startMs, endMs);
  const offsets = new Set(stated.map(({ after }) => after));
  if (!days.some((atMs) => offsets.has(offsetMs(atMs))))
    return { atMs: startMs, stated: clock.offsetMs(startMs), actual: offsetMs(startMs) };
  const times = stated
    .filter(({ atMs, before, after }) => before !== after && atMs >= startMs && atMs < endMs)
    .flatMap(({ atMs, before, after }) => [
      { atMs: atMs - QUARTER_MS, stated: before },
      { atMs, stated: after },
    ]);
  if (offsets.size > 1) {
    const lastMs = stated.at(-1)!.atMs;
    const covered = days.filter((atMs) => atMs >= first.atMs && atMs <= lastMs);
    times.push(...covered.map((atMs) => ({ atMs, stated: clock.offsetMs(atMs) })));
  }
  return times
    .map((time) => ({ ...time, actual: offsetMs(time.atMs) }))
    .sort((a, b) => a.atMs - b.atMs)
    .find((time) => time.stated !== time.actual);
}

const YEAR_MS = 366 * DAY_MS;

const daysBetween = (startMs: number, endMs: number): number[] =>
  Array.from({ length: Math.ceil((endMs - startMs) / DAY_MS) }, (_, day) => startMs + day * DAY_MS);

/** `+01:00`. */
function offsetText(offsetMs: number): string {
  const text = new Date(Math.abs(offsetMs)).toISOString();
  return `${offsetMs < 0 ? '-' : '+'}${text.slice(11, offsetMs % 60_000 === 0 ? 16 : 19)}`;
}

const changesIn = ({ components }: Component, options: DefinitionOptions): Change[] =>
  components
    .filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
    .flatMap((part) => changesOf(part, options))
    .sort((a, b) => a.atMs - b.atMs);

function changesOf(part: Component, { endMs, budget }: DefinitionOptions): Change[] {
  const start = only(part, 'DTSTART');
  if (!start) throw new IcsError(`${part.name} has no DTSTART`, part.line);
  const [from, to] = [offsetIn(part, 'TZOFFSETFROM'), offsetIn(part, 'TZOFFSETTO')];
  const firstMs = momentOf(start).wallMs;
  const property = only(part, 'RRULE');
  const rule = property && recurrenceRule(property);
  const untilMs =
    rule?.until === undefined ? undefined : momentIn(rule.until, { ...property!, params: new Map() });
  const lastMs =
    untilMs && (untilMs.type === 'time' && untilMs.zone === UTC ? untilMs.wallMs + from : untilMs.wallMs);
  const recurring = rule
    ? [...occurrences(rule, { firstMs, fromMs: FIRST_CHANGE_MS, endMs: endMs + DAY_MS }, budget)]
    : [];
  const others = all(part, 'RDATE').flatMap((dates) =>
    dates.value.split(',').map((text) => momentIn(text, dates).wallMs),
  );
  return [firstMs, ...recurring.filter((atMs) => lastMs === undefined || atMs <= lastMs), ...others].map(
    (wallMs) => ({
      atMs: wallMs - from,
      before: from,
      after: to,
    }),
  );
}

function offsetIn(part: Component, name: string): number {
  const property = only(part, name);
  const [, sign, hours, minutes, seconds = '0'] =
    /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(property?.value ?? '') ?? [];
  if (sign === undefined)
    throw new IcsError(
      `${name} of ${part.name} is ${property ? JSON.stringify(property.value.slice(0, 20)) : 'missing'}; expected such as +0100`,
      property?.line ?? part.line,
    );
  return (
    (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * SECOND_MS
  );
}
