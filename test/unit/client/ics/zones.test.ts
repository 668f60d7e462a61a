import { IcsError } from '../../../../client/ics/ics-error';
import { readIcs } from '../../../../client/ics/read-ics';

const NOW_MS = Date.parse('2026-12-01T00:00:00Z');

/** The offsets of a zone that a file defines: in winter, and in summer. */
const defined = (id: string, standard: string, daylight = standard): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${id}`,
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  `TZOFFSETFROM:${daylight}`,
  `TZOFFSETTO:${standard}`,
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19700329T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  `TZOFFSETFROM:${standard}`,
  `TZOFFSETTO:${daylight}`,
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

/** When an event at 06:00 of a zone begins, in UTC. */
function beginOf(zone: string, ...before: string[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    ...before,
    'BEGIN:VEVENT',
    'UID:a',
    `DTSTART;TZID="${zone}":20270705T060000`,
    `DTEND;TZID="${zone}":20270705T070000`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  const { calendar } = readIcs(lines.join('\r\n'), 'a.ics', { nowMs: NOW_MS, years: 3, timezone: 'UTC' });
  return (calendar.dates![0] as { from: string }).from;
}

test.each([
  ['Europe/Berlin', '2027-07-05T04:00:00'],
  ['W. Europe Standard Time', '2027-07-05T04:00:00'],
  ['eastern standard time', '2027-07-05T10:00:00'],
  ['CET', '2027-07-05T04:00:00'],
  ['Japan', '2027-07-04T21:00:00'],
  ['UTC', '2027-07-05T06:00:00'],
])('%s is known', (zone, from) => {
  expect(beginOf(zone)).toBe(from);
});

test.each([
  ['EST', 'if it means America/New_York, write that'],
  ['PST', 'if it means America/Los_Angeles, write that'],
  // runtimes take it for the time of Bangladesh
  ['BST', 'if it means Europe/London, write that'],
  ['CEST', 'if it means Europe/Berlin, write that'],
  ['IST', 'not defined in the file'],
  ['Eastern Time (US & Canada)', 'if it means America/New_York, write that'],
  ['(UTC-08:00) Pacific Time (US & Canada)', 'if it means America/Los_Angeles, write that'],
  ['GMT+2', 'if it means Etc/GMT-2, write that'],
  ['UTC-05:00', 'if it means Etc/GMT+5, write that'],
  ['Customized Time Zone', 'not defined in the file'],
])('%s is refused by its name: %s', (zone, message) => {
  expect(() => beginOf(zone)).toThrow(IcsError);
  expect(() => beginOf(zone)).toThrow(`DTSTART has the zone ${JSON.stringify(zone)}`);
  expect(() => beginOf(zone)).toThrow(message);
});

test('a zone of the calendar that is one of Windows has a suggestion', () => {
  const read = () =>
    readIcs('BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'a.ics', {
      nowMs: NOW_MS,
      years: 3,
      timezone: 'Eastern Standard Time',
    });
  expect(read).toThrow('is no IANA zone; did you mean "America/New_York"?');
});

test('an abbreviation that the file defines is as it is defined', () => {
  expect(beginOf('BST', ...defined('BST', '+0000', '+0100'))).toBe('2027-07-05T05:00:00');
});

test('a zone whose definition in the file contradicts its name is refused', () => {
  expect(() => beginOf('Europe/Berlin', ...defined('Europe/Berlin', '-0500', '-0400'))).toThrow(
    'VTIMEZONE gives "Europe/Berlin" other offsets than that zone has: rename it, or correct its offsets',
  );
  expect(() => beginOf('Eastern Standard Time', ...defined('Eastern Standard Time', '+0100'))).toThrow(
    'line 2: VTIMEZONE gives "Eastern Standard Time"',
  );
});

test('a definition of one of its offsets, as many programs write it, is none', () => {
  expect(beginOf('Europe/Berlin', ...defined('Europe/Berlin', '+0100'))).toBe('2027-07-05T04:00:00');
});
