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
  ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'if it means Europe/Berlin, write that'],
  ['(UTC+00:00) Dublin, Edinburgh, Lisbon, London', 'if it means Europe/London, write that'],
  ['(UTC-03:30) Newfoundland', 'if it means America/St_Johns, write that'],
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

/** A definition of which the clocks change on other days than those of Europe. */
const changedOn = (id: string, standard: string, daylight: string): string[] =>
  defined(id, '+0100', '+0200').map((line) =>
    line
      .replace('FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', standard)
      .replace('FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', daylight),
  );
const OF_AMERICA = ['FREQ=YEARLY;BYMONTH=11;BYDAY=1SU', 'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'] as const;
const CURE = 'rename, correct or delete the VTIMEZONE';

describe('a zone whose definition in the file contradicts its name is refused', () => {
  test.each([
    ['other offsets', defined('Europe/Berlin', '-0500', '-0400'), '-05:00 on 2026-01-01', '+01:00'],
    ['a shift alone', defined('Europe/Berlin', '+0530'), '+05:30 on 2026-01-01', '+01:00'],
    ['one offset too many', defined('Europe/Berlin', '+0100', '+0300'), '+03:00 on 2026-03-29', '+02:00'],
    ['dates of America', changedOn('Europe/Berlin', ...OF_AMERICA), '+02:00 on 2026-03-08', '+01:00'],
    [
      'one of the two dates',
      changedOn('Europe/Berlin', 'FREQ=YEARLY;BYMONTH=10;BYDAY=1SU', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'),
      '+01:00 on 2026-10-04',
      '+02:00',
    ],
    [
      'another hour',
      defined('Europe/Berlin', '+0100', '+0200').map((line) => line.replace('T030000', 'T020000')),
      '+01:00 on 2026-10-25',
      '+02:00',
    ],
    [
      'a date in one year alone',
      changedOn(
        'Europe/Berlin',
        'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
        'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      ).flatMap((line) => (line === 'BEGIN:DAYLIGHT' ? [line, 'RDATE:20280316T020000'] : [line])),
      '+02:00 on 2028-03-16',
      '+01:00',
    ],
  ])('%s', (_, before, stated, actual) => {
    expect(() => beginOf('Europe/Berlin', ...before)).toThrow(
      `line 2: VTIMEZONE gives "Europe/Berlin" the offset ${stated}, where that zone has ${actual}: ${CURE}`,
    );
  });

  test('by a name of Windows', () => {
    const [zone, meant] = ['Eastern Standard Time', 'America/New_York'];
    expect(() => beginOf(zone, ...defined(zone, '-0500', '-0400'))).toThrow(
      `VTIMEZONE gives "${zone}" (${meant}) the offset -05:00 on 2026-03-08, where that zone has -04:00`,
    );
  });

  test('by a name in another case', () => {
    const before = changedOn('Europe/Berlin', ...OF_AMERICA);
    expect(() => beginOf('europe/berlin', ...before)).toThrow('the offset +02:00 on 2026-03-08');
  });

  test('by the location of a name of its own', () => {
    const [start, id, ...others] = changedOn('mine', ...OF_AMERICA);
    expect(() => beginOf('mine', start!, id!, 'X-LIC-LOCATION:Europe/Berlin', ...others)).toThrow(
      'VTIMEZONE gives "mine" (Europe/Berlin) the offset +02:00 on 2026-03-08, where that zone has +01:00',
    );
  });

  test('by a second definition of the name', () => {
    const before = [...defined('mine', '+0100', '+0200'), ...defined('mine', '+0100', '+0300')];
    expect(() => beginOf('mine', ...before)).toThrow(
      'line 17: VTIMEZONE gives "mine" (as defined before) the offset +03:00 on 2026-03-29, where that zone has +02:00',
    );
  });
});

describe('a definition that contradicts nothing is no obstacle', () => {
  const observance = (name: string, [from, to]: [string, string], ...starts: string[]): string[] =>
    starts.flatMap((start) => [
      `BEGIN:${name}`,
      `DTSTART:${start}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      `END:${name}`,
    ]);
  const definition = (...parts: string[][]): string[] => [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    ...parts.flat(),
    'END:VTIMEZONE',
  ];

  test.each([
    ['the same changes', defined('Europe/Berlin', '+0100', '+0200')],
    ['one of its offsets, as many programs write it', defined('Europe/Berlin', '+0100')],
    ['one of its offsets, once', definition(observance('STANDARD', ['+0100', '+0100'], '19700101T000000'))],
    ['no offset', definition()],
    [
      'the changes of some years',
      definition(
        observance('DAYLIGHT', ['+0100', '+0200'], '20270328T020000'),
        observance('STANDARD', ['+0200', '+0100'], '20261025T030000', '20271031T030000'),
      ),
    ],
    [
      'other changes, before the calendar begins',
      definition(
        observance('DAYLIGHT', ['+0100', '+0200'], '20100401T020000', '20260329T020000'),
        observance('STANDARD', ['+0200', '+0100'], '20100901T030000', '20261025T030000'),
      ),
    ],
    [
      'the start of one of the two rules alone',
      definition(observance('STANDARD', ['+0200', '+0100'], '19701025T030000', '20271031T030000')),
    ],
  ])('%s', (_, before) => {
    expect(beginOf('Europe/Berlin', ...before)).toBe('2027-07-05T04:00:00');
  });
});
