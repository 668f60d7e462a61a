import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { datesIn, event, events, read } from './ics-text';

const CASES = join(__dirname, '../../../fixtures/calendars/cases');
/** Working days from the 16th of November 2026 to New Year's Day, without the 30th of December. */
const WORKING_DAYS = Array.from({ length: 47 }, (_, index) => new Date(Date.UTC(2026, 10, 16 + index)))
  .filter((day) => day.getUTCDay() % 6 !== 0)
  .map((day) => day.toISOString().slice(0, 10))
  .filter((day) => day !== '2026-12-30');

const EXPECTED: Record<string, string[]> = {
  'byte-order-mark.ics': ['2027-01-01'],
  'daily-filters.ics': [2026, 2027].flatMap((year) =>
    ['01-01', '01-15', '07-01', '07-15'].map((day) => `${year}-${day}`),
  ),
  'day-without-value.ics': ['2027-01-01'],
  'exdate-in-utc.ics': WORKING_DAYS.map((day) => `${day}T11:15:00/${day}T12:15:00`),
  'floating.ics': ['2027-09-16T21:00:00/2027-09-16T22:00:00'],
  'last-of-three-month-days.ics': [
    ...[
      '01-30',
      '02-28',
      '03-30',
      '04-30',
      '05-30',
      '06-30',
      '07-30',
      '08-30',
      '09-30',
      '10-30',
      '11-30',
      '12-30',
    ],
  ].flatMap((day) => [`2026-${day}`, `2027-${day}`]),
  'last-weekday-of-month.ics': [
    ...['2026-05-29', '2026-06-30', '2026-07-31', '2026-08-31', '2026-09-30', '2026-10-30', '2026-11-30'],
    ...['2026-12-31', '2027-01-29', '2027-02-26', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'],
    ...['2027-07-30', '2027-08-31', '2027-09-30', '2027-10-29', '2027-11-30', '2027-12-31'],
  ],
  'lower-case.ics': ['2027-01-01'],
  'month-end.ics': [2026, 2027].flatMap((year) =>
    ['01-31', '03-31', '05-31', '07-31', '08-31', '10-31', '12-31'].map((day) => `${year}-${day}`),
  ),
  'over-a-clock-change.ics': ['2026-03-28T12:00:00/2026-03-29T12:00:00'],
  'rdate.ics': ['2026-01-05', '2026-01-07', '2026-01-09'],
  'sequence.ics': ['2026-01-06'],
  'until-in-utc.ics': [16, 17, 18].map((day) => `2026-11-${day}T11:15:00/2026-11-${day}T12:15:00`),
  'weekends-by-count.ics': Array.from({ length: 10 }, (_, week) =>
    [3, 4].map((day) => new Date(Date.UTC(2026, 0, day + week * 7)).toISOString().slice(0, 10)),
  ).flat(),
  'windows-zone.ics': ['2027-01-05T06:00:00/2027-01-05T07:00:00'],
};

it('expects dates of every case', () => {
  expect(readdirSync(CASES).filter((name) => name.endsWith('.ics'))).toEqual(Object.keys(EXPECTED).sort());
});

it.each(Object.keys(EXPECTED))('reads %s', (file) => {
  expect(datesIn(readFileSync(join(CASES, file), 'utf8'))).toEqual([...EXPECTED[file]!].sort());
});

it('takes a time from the zone of its event to the zone of the calendar', () => {
  const meeting = (zone: string) =>
    event(`DTSTART;TZID=${zone}:20270105T060000`, `DTEND;TZID=${zone}:20270105T070000`);
  const noon = ['2027-01-05T12:00:00/2027-01-05T13:00:00'];
  const timezone = 'Europe/Berlin';
  expect(datesIn(meeting('America/New_York'), { timezone })).toEqual(noon);
  expect(datesIn(meeting('Eastern Standard Time'), { timezone })).toEqual(noon);
  expect(datesIn(meeting('"Eastern Standard Time"'), { timezone })).toEqual(noon);
  expect(datesIn(meeting('/mozilla.org/20070129_1/America/New_York'), { timezone })).toEqual(noon);
  expect(datesIn(event('DTSTART:20270105T110000Z', 'DTEND:20270105T120000Z'), { timezone })).toEqual(noon);
});

it('follows the clocks of the zone of the event, not those of the calendar', () => {
  const text = event(
    'DTSTART;TZID=America/New_York:20260301T060000',
    'DTEND;TZID=America/New_York:20260301T070000',
    'RRULE:FREQ=WEEKLY;COUNT=6',
  );
  expect(datesIn(text, { timezone: 'Europe/Berlin' })).toEqual([
    '2026-03-01T12:00:00/2026-03-01T13:00:00',
    // New York changes on the 8th, Berlin on the 29th
    '2026-03-08T11:00:00/2026-03-08T12:00:00',
    '2026-03-15T11:00:00/2026-03-15T12:00:00',
    '2026-03-22T11:00:00/2026-03-22T12:00:00',
    '2026-03-29T12:00:00/2026-03-29T13:00:00',
    '2026-04-05T12:00:00/2026-04-05T13:00:00',
  ]);
});

const OWN_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:tzone://Microsoft/Custom',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

it('resolves a zone that the file defines', () => {
  const text = [
    'BEGIN:VCALENDAR',
    ...OWN_ZONE,
    'BEGIN:VEVENT',
    'DTSTART;TZID="tzone://Microsoft/Custom":20261024T120000',
    'DTEND;TZID="tzone://Microsoft/Custom":20261024T130000',
    'RRULE:FREQ=DAILY;COUNT=2',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\n');
  expect(datesIn(text, { timezone: 'UTC' })).toEqual([
    '2026-10-24T10:00:00/2026-10-24T11:00:00',
    '2026-10-25T11:00:00/2026-10-25T12:00:00',
  ]);
  expect(() => read(text)).toThrow(
    'line 18: has the zone "tzone://Microsoft/Custom" of its own; name the zone',
  );
});

it.each([
  [
    'an unknown zone',
    ['DTSTART;TZID="tzone://Microsoft/Custom":20270101T060000'],
    'line 3: DTSTART has the zone "tzone://Microsoft/Custom"',
  ],
  [
    'times in UTC without a zone',
    ['DTSTART:20270101T060000Z', 'DURATION:PT1H'],
    'line 3: has times in UTC; name the zone',
  ],
  ['an unknown parameter', ['DTSTART;TZDI=Europe/Berlin:20270101T060000'], 'line 3: DTSTART has TZDI'],
  ['a day that there is not', ['DTSTART:20270229'], 'line 3: DTSTART has "20270229"'],
  ['a time of another type', ['DTSTART;VALUE=DATE:20270101T060000'], 'line 3: DTSTART has'],
  ['an event without a start', ['SUMMARY:x'], 'line 2: VEVENT has no DTSTART'],
  [
    'two starts',
    ['DTSTART:20270101', 'DTSTART:20270102'],
    'line 4: is a second DTSTART; the first one is on line 3',
  ],
  ['two rules', ['DTSTART:20270101', 'RRULE:FREQ=DAILY', 'RRULE:FREQ=YEARLY'], 'line 5: is a second RRULE'],
  [
    'an unknown part of a rule',
    ['DTSTART:20270101', 'RRULE:FREQ=DAILY;UNTL=20270105'],
    'line 4: RRULE has "UNTL=20270105"',
  ],
  ['a rule of exceptions', ['DTSTART:20270101', 'EXRULE:FREQ=DAILY'], 'line 4: EXRULE'],
  ['an end before the start', ['DTSTART:20270102', 'DTEND:20270101'], 'line 4: DTEND is before DTSTART'],
  [
    'an end before the start, in time',
    ['DTSTART:20270102T100000', 'DTEND:20270102T090000'],
    'line 4: DTEND is before DTSTART',
  ],
  ['an end of another type', ['DTSTART:20270101', 'DTEND:20270101T100000'], 'line 4: DTEND is a time'],
  [
    'an end and a length',
    ['DTSTART:20270101', 'DTEND:20270102', 'DURATION:P1D'],
    'line 5: DURATION stands beside',
  ],
  ['a length that goes back', ['DTSTART:20270101', 'DURATION:-P1D'], 'line 4: DURATION has "-P1D"'],
  ['hours of a day', ['DTSTART:20270101', 'DURATION:PT12H'], 'line 4: DURATION is PT12H'],
  [
    'a time of day in a rule of days',
    ['DTSTART:20270101', 'RRULE:FREQ=DAILY;BYHOUR=9'],
    'line 4: RRULE has a time',
  ],
  [
    'a day added to times',
    ['DTSTART:20270101T100000', 'DURATION:PT1H', 'RDATE;VALUE=DATE:20270103'],
    'line 5: RDATE has a day',
  ],
  [
    'a change from there on',
    ['UID:1', 'DTSTART:20270101', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270101'],
    'line 5: RECURRENCE-ID has RANGE=THISANDFUTURE',
  ],
  ['an unknown status', ['DTSTART:20270101', 'STATUS:CANCELED'], 'line 4: STATUS is "CANCELED"'],
  ['a sequence that is no number', ['DTSTART:20270101', 'SEQUENCE:x'], 'line 4: SEQUENCE is "x"'],
  ['a line that is none', ['DTSTART:20270101', 'and so on'], 'line 4: "and so on" is no property'],
])('names the line of %s', (_, lines, message) => {
  expect(() => read(event(...lines))).toThrow(`file.ics: ${message}`);
});

it('refuses a calendar that takes events back, and a file that is cut off', () => {
  expect(() => read('BEGIN:VCALENDAR\nMETHOD:CANCEL\nEND:VCALENDAR')).toThrow('line 2: METHOD is "CANCEL"');
  expect(() => read('BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20270101')).toThrow('line 2: VEVENT has no end');
});

it.each([
  ['blank lines before it', `\n\n${event('DTSTART:20270101')}`],
  ['line feeds', event('DTSTART:20270101').replaceAll('\r\n', '\n')],
  ['carriage returns', event('DTSTART:20270101').replaceAll('\r\n', '\r')],
  ['folded lines', event('DTSTA', ' RT;VALUE=', '\tDATE:2027', ' 0101')],
  ['names in lower case', event('DTSTART:20270101').toLowerCase()],
])('reads a file with %s', (_, text) => {
  expect(datesIn(text)).toEqual(['2027-01-01']);
});

it('counts what it left out, and says until when it took series without an end', () => {
  const text = events(
    ['DTSTART:20250101'],
    ['DTSTART:20270101', 'STATUS:CANCELLED'],
    ['DTSTART:20261126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'],
  ).replace('END:VCALENDAR', 'BEGIN:VTODO\r\nEND:VTODO\r\nEND:VCALENDAR');
  expect(read(text)).toEqual({
    calendar: {
      dates: ['2026-11-26', '2027-11-25'].map((day) => ({ from: day, to: day })),
      yearly: [],
    },
    events: 3,
    past: 1,
    cancelled: 1,
    cutAfter: '2027-12-31',
    notes: ['line 13: VTODO is no event, and was left out'],
  });
});

it('says which property it does not know', () => {
  expect(read(event('DTSTART:20270101', 'RULE:FREQ=DAILY')).notes).toEqual([
    'line 4: RULE is unknown, and was not read',
  ]);
});

describe('files that ask for too much', () => {
  const daily = (count: number) =>
    events(
      ...Array.from({ length: count }, (_, index) => [
        `UID:${index}`,
        'DTSTART:19700101T000000',
        'DURATION:PT1H',
        'RRULE:FREQ=DAILY',
      ]),
    );

  it.each([
    [
      'one rule of seconds',
      event('DTSTART:19700101T000000Z', 'RRULE:FREQ=SECONDLY'),
      'line 4: RRULE has FREQ=SECONDLY',
    ],
    [
      'an interval that goes back',
      event('DTSTART:19700101', 'RRULE:FREQ=DAILY;INTERVAL=-1'),
      'line 4: RRULE has INTERVAL=-1',
    ],
    ['300 rules of every day', daily(300), 'takes too many steps'],
    [
      'all seconds of all days',
      event(
        'DTSTART:19700101T000000',
        'DURATION:PT1S',
        `RRULE:FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join()};BYMINUTE=${[...Array(60).keys()].join()};BYSECOND=${[...Array(60).keys()].join()}`,
      ),
      'line 5: takes too many steps',
    ],
    [
      'a count of days since the year 1',
      event('DTSTART:00010101', 'RRULE:FREQ=DAILY;INTERVAL=9999;COUNT=99999').concat('\r\n').repeat(4),
      'takes too many steps',
    ],
  ])('%s', (_, text, message) => {
    expect(() => read(text, { timezone: 'UTC', years: 20 })).toThrow(message);
  });

  it('2,000 moved dates of one series', () => {
    const moved = Array.from({ length: 2000 }, (_, index) => {
      const day = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10).replaceAll('-', '');
      return ['UID:1', `RECURRENCE-ID:${day}`, `DTSTART:${day}`, 'DURATION:P1D'];
    });
    const text = events(['UID:1', 'DTSTART:20260101', 'RRULE:FREQ=DAILY'], ...moved);
    expect(() => read(text, { years: 3 })).toThrow(
      'has 2000 dates; a calendar has at most 500: take fewer years',
    );
  });
});
