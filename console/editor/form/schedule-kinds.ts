import type { Schedule } from '../../../client/browser';
import type { FormField, KindRow, TextField } from './field';

type ScheduleType = Exclude<Schedule, string>['type'];

const main = (path: string, label: string, hint: string): TextField => ({
  path,
  label,
  kind: 'text',
  hint,
  isRequired: true,
  isWide: true,
});

const ZONE: TextField = {
  path: 'timezone',
  label: 'Time zone',
  kind: 'text',
  usual: 'UTC',
  names: 'zones',
  isWide: true,
};

/** What narrows or moves the times of what recurs. */
const RECURRING: readonly FormField[] = [
  ZONE,
  {
    path: 'exclude',
    label: 'Leave out',
    kind: 'exclusions',
    hint: 'dates, ranges such as 2026-12-24/2027-01-01, or expressions, one a line',
  },
  { path: 'only', label: 'Only on the days of', kind: 'calendars', hint: 'calendars, one a line' },
  {
    path: 'onExcluded',
    label: 'What is left out',
    kind: 'choice',
    usual: 'skip',
    values: [
      ['skip', 'does not run'],
      ['next-day', 'runs on the next day'],
      ['previous-day', 'runs on the day before'],
    ],
  },
  { path: 'maxRuns', label: 'At most so many runs', kind: 'number', usual: 'no bound' },
  { path: 'startAt', label: 'From', kind: 'text', hint: '2026-12-01T00:00' },
  { path: 'endAt', label: 'Until before', kind: 'text', hint: '2027-01-01T00:00' },
  {
    path: 'jitter',
    label: 'Spread by',
    kind: 'text',
    hint: '5m: later by a part of this that stays the same',
    usual: '0s',
    isWide: true,
  },
  {
    path: 'dst.gap',
    label: 'Missing local time',
    kind: 'choice',
    usual: 'shift',
    values: [
      ['shift', 'move to the first instant after'],
      ['skip', 'leave it out'],
    ],
  },
  {
    path: 'dst.overlap',
    label: 'Repeated local time',
    kind: 'choice',
    usual: 'first',
    values: [
      ['first', 'the first'],
      ['second', 'the second'],
      ['both', 'both'],
    ],
  },
];

/** Every type of schedule of the API, and the short texts that it takes. */
export const SCHEDULE_KINDS: Readonly<Record<ScheduleType | 'text', KindRow>> = {
  cron: {
    words: 'Cron',
    start: { type: 'cron', expression: '30 9 * * MON-FRI' },
    fields: [main('expression', 'Expression', 'minute hour day month weekday'), ...RECURRING],
  },
  interval: {
    words: 'Interval',
    start: { type: 'interval', every: '1h' },
    fields: [
      main('every', 'Every', '30s, 36h, 7d, P1M'),
      {
        path: 'anchor',
        label: 'Counted from',
        kind: 'text',
        usual: 'when the schedule was set',
        isWide: true,
      },
      ...RECURRING,
    ],
  },
  at: {
    words: 'Once, at a time',
    start: { type: 'at', at: '' },
    fields: [main('at', 'At', '2026-12-01T09:00:00Z, or a local time with a zone'), ZONE],
  },
  delay: {
    words: 'Once, after a while',
    start: { type: 'delay', delay: '10m' },
    fields: [main('delay', 'After', '10m, 36h')],
  },
  after: {
    words: 'After other jobs',
    start: { type: 'after' },
    fields: [
      { path: 'jobs', label: 'After the jobs', kind: 'lines', hint: 'ids, one a line' },
      {
        path: 'on',
        label: 'When they have',
        kind: 'choice',
        usual: 'succeeded',
        values: [
          ['succeeded', 'succeeded'],
          ['failed', 'failed'],
          ['done', 'ended, whatever way'],
        ],
      },
    ],
  },
  event: {
    words: 'At an event',
    start: { type: 'event', name: '' },
    fields: [
      main('name', 'Name of the event', 'invoice.paid'),
      {
        path: 'where',
        label: 'Only if its data have',
        kind: 'object',
        hint: 'JSON: { "country": "DE" }',
        rows: 3,
      },
      {
        path: 'debounce',
        label: 'Events of one key run once, after',
        kind: 'text',
        hint: '30s without another',
        isWide: true,
      },
    ],
  },
  none: { words: 'None: something else starts it', start: { type: 'none' }, fields: [] },
  text: {
    words: 'As a short text',
    start: 'every 5m',
    fields: [main('', 'Schedule', 'every 5m, rate(…), cron(…), at(…), or an expression in UTC')],
  },
};
