import { all, type Component, only } from './components';
import { type Property, textIn } from './content-lines';
import { IcsError } from './ics-error';
import { type RecurrenceRule, recurrenceRule } from './recurrence-rule';
import { checkParams, DAY_MS, type Length, lengthIn, type Moment, momentIn, momentOf } from './values';

/** A day or time, and the property that says it. */
export interface Dated {
  moment: Moment;
  property: Property;
}

/** A date that RDATE adds: a PERIOD brings its own end. */
export interface AddedDate extends Dated {
  end?: Moment | Length;
}

/** What a VEVENT says of its days and times. */
export interface IcsEvent {
  line: number;
  uid?: string;
  sequence: number;
  isCancelled: boolean;
  summary?: string;
  start: Dated;
  /** Absent: a day, or no length at all. */
  end?: Dated;
  length?: Length;
  rule?: RecurrenceRule;
  added: readonly AddedDate[];
  excluded: readonly Dated[];
  /** Which occurrence of the series it replaces. */
  replaces?: Dated;
}

const STATUS = ['TENTATIVE', 'CONFIRMED', 'CANCELLED'];
/** These say something else than days and times. */
const OTHERS = [
  'ATTACH ATTENDEE CATEGORIES CLASS COLOR COMMENT CONFERENCE CONTACT CREATED DESCRIPTION DTSTAMP GEO IMAGE',
  'LAST-MODIFIED LOCATION ORGANIZER PRIORITY RELATED-TO REQUEST-STATUS RESOURCES SOURCE TRANSP URL ACKNOWLEDGED',
  'CALENDAR-ADDRESS CONCEPT LINK LOCATION-TYPE PARTICIPANT-TYPE REFID RESOURCE-TYPE STRUCTURED-DATA STYLED-DESCRIPTION',
]
  .join(' ')
  .split(' ');
const READ = [
  'UID SEQUENCE STATUS SUMMARY DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID'.split(' '),
].flat();
const REFUSED: Readonly<Record<string, string>> = {
  EXRULE: 'an exception rule, which RFC 5545 took back; write EXDATE',
  'X-APPLE-UNTIL': 'no property of iCalendar',
};

/** Throws an `IcsError` for whatever is not understood; `note` gets properties of other kinds. */
export function eventOf(component: Component, note: (text: string, line: number) => void): IcsEvent {
  for (const { name, line } of component.properties) {
    if (Object.hasOwn(REFUSED, name)) throw new IcsError(`${name} is ${REFUSED[name]}`, line);
    if (!READ.includes(name) && !OTHERS.includes(name) && !name.startsWith('X-'))
      note(`${name} is unknown, and was not read`, line);
  }
  const start = only(component, 'DTSTART');
  if (!start) throw new IcsError('VEVENT has no DTSTART', component.line);
  const [summary, uid] = [only(component, 'SUMMARY'), only(component, 'UID')];
  const [rule, replaces] = [only(component, 'RRULE'), only(component, 'RECURRENCE-ID')];
  if (replaces?.params.has('RANGE'))
    throw new IcsError(
      `RECURRENCE-ID has RANGE=${replaces.params.get('RANGE')}, which changes a series from there on; end the series by UNTIL, and write a second one`,
      replaces.line,
    );
  return {
    line: component.line,
    sequence: sequenceOf(only(component, 'SEQUENCE')),
    isCancelled: statusOf(only(component, 'STATUS')) === 'CANCELLED',
    ...(uid && uid.value !== '' && { uid: uid.value }),
    ...(summary && { summary: textIn(summary.value) }),
    start: { moment: momentOf(start), property: start },
    ...endOf(component, momentOf(start)),
    ...(rule && { rule: recurrenceRule(rule) }),
    added: all(component, 'RDATE').flatMap(addedIn),
    excluded: all(component, 'EXDATE').flatMap(excludedIn),
    ...(replaces && { replaces: { moment: momentOf(replaces), property: replaces } }),
  };
}

function statusOf(property: Property | undefined): string | undefined {
  const status = property?.value.toUpperCase();
  if (status !== undefined && !STATUS.includes(status))
    throw new IcsError(
      `STATUS is ${JSON.stringify(status.slice(0, 40))}; expected ${STATUS.join(', ')}`,
      property!.line,
    );
  return status;
}

function sequenceOf(property: Property | undefined): number {
  if (!property) return 0;
  if (!/^\d{1,10}$/.test(property.value))
    throw new IcsError(
      `SEQUENCE is ${JSON.stringify(property.value.slice(0, 40))}; expected a number`,
      property.line,
    );
  return Number(property.value);
}

function endOf(component: Component, start: Moment): Pick<IcsEvent, 'end' | 'length'> {
  const [end, duration] = [only(component, 'DTEND'), only(component, 'DURATION')];
  if (end && duration) throw new IcsError('DURATION stands beside DTEND', duration.line);
  if (duration) {
    const length = lengthIn(duration.value, duration);
    if (start.type === 'day' && length.sec > 0)
      throw new IcsError(`DURATION is ${duration.value}, and DTSTART is a day`, duration.line);
    return { length };
  }
  if (!end) return start.type === 'day' ? { length: { days: 1, sec: 0 } } : {};
  const moment = momentOf(end);
  if (moment.type !== start.type)
    throw new IcsError(`DTEND is a ${moment.type}, and DTSTART is a ${start.type}`, end.line);
  if (moment.type === 'time') return { end: { moment, property: end } };
  const days = (moment.wallMs - start.wallMs) / DAY_MS;
  if (days < 0) throw new IcsError('DTEND is before DTSTART', end.line);
  // many files write the day itself as the end of a single day
  return { length: { days: Math.max(days, 1), sec: 0 } };
}

const excludedIn = (property: Property): Dated[] => {
  checkParams(property, ['DATE', 'DATE-TIME']);
  return property.value.split(',').map((text) => ({ moment: momentIn(text.trim(), property), property }));
};

function addedIn(property: Property): AddedDate[] {
  checkParams(property, ['DATE', 'DATE-TIME', 'PERIOD']);
  if (property.params.get('VALUE')?.toUpperCase() !== 'PERIOD') return excludedIn(property);
  const times = { ...property, params: new Map([...property.params, ['VALUE', 'DATE-TIME']]) };
  return property.value.split(',').map((text) => {
    const [from = '', to = ''] = text.trim().split('/');
    const end = /^[+-]?P/i.test(to) ? lengthIn(to, property) : momentIn(to, times);
    return { moment: momentIn(from, times), property, end };
  });
}
