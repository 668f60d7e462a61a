import { datesIn, event, events, read } from './ics-text';

describe('lengths', () => {
  const zoned = (...lines: string[]) => event('DTSTART;TZID=Europe/Berlin:20260328T120000', ...lines);

  it('counts days of a DURATION by the calendar, and hours by the clock', () => {
    expect(datesIn(zoned('DURATION:P1D'))).toEqual(['2026-03-28T12:00:00/2026-03-29T12:00:00']);
    expect(datesIn(zoned('DURATION:PT24H'))).toEqual(['2026-03-28T12:00:00/2026-03-29T13:00:00']);
    expect(datesIn(zoned('DURATION:P1DT1H'))).toEqual(['2026-03-28T12:00:00/2026-03-29T13:00:00']);
  });

  it('gives all of a series the time between DTSTART and DTEND', () => {
    expect(
      datesIn(
        event(
          'DTSTART;TZID=Europe/Berlin:20260327T220000',
          'DTEND;TZID=Europe/Berlin:20260328T040000',
          'RRULE:FREQ=DAILY;COUNT=2',
        ),
      ),
    ).toEqual(['2026-03-27T22:00:00/2026-03-28T04:00:00', '2026-03-28T22:00:00/2026-03-29T05:00:00']);
  });

  it('takes days of several days, and a day that ends on itself', () => {
    expect(datesIn(event('DTSTART:20261224', 'DTEND:20261227'))).toEqual(['2026-12-24/2026-12-26']);
    expect(datesIn(event('DTSTART:20261224', 'DURATION:P1W'))).toEqual(['2026-12-24/2026-12-30']);
    expect(datesIn(event('DTSTART:20261224', 'DTEND:20261224'))).toEqual(['2026-12-24']);
  });

  it('keeps what reaches into the present year', () => {
    expect(datesIn(event('DTSTART:20251220', 'DTEND:20260105'))).toEqual(['2025-12-20/2026-01-04']);
    expect(datesIn(event('DTSTART:20241220', 'DTEND:20250105', 'RRULE:FREQ=YEARLY;UNTIL=20251220'))).toEqual([
      '2025-12-20/2026-01-04',
    ]);
  });

  it('leaves an event without a length out, and says so', () => {
    const { calendar, notes } = read(event('DTSTART;TZID=Europe/Berlin:20270101T120000'));
    expect(calendar.dates).toEqual([]);
    expect(notes).toEqual(['line 2: the event has no length, and was left out']);
  });

  it('goes on to the end of an hour that the clocks repeat, and says so', () => {
    const text = event('DTSTART:20261025T003000Z', 'DTEND:20261025T013000Z');
    expect(datesIn(text, { timezone: 'Europe/Berlin' })).toEqual(['2026-10-25T02:30:00/2026-10-25T03:00:00']);
    expect(read(text, { timezone: 'Europe/Berlin' }).notes).toEqual([
      expect.stringContaining('line 2: a time is in the hour that the clocks repeat'),
    ]);
  });
});

describe('UNTIL', () => {
  const daily = (until: string, zone = ';TZID=Europe/Berlin') =>
    event(`DTSTART${zone}:20270101T100000`, 'DURATION:PT1H', `RRULE:FREQ=DAILY;UNTIL=${until}`);

  it.each([
    ['in UTC', '20270103T090000Z', 3],
    ['in UTC, a second too early', '20270103T085959Z', 2],
    ['in local time', '20270103T100000', 3],
    ['before the start', '20261231T000000Z', 0],
  ])('%s', (_, until, dates) => {
    expect(datesIn(daily(until))).toHaveLength(dates);
    expect(read(daily(until)).notes).toEqual([]);
  });

  it('of a day includes the times of the day, and says so', () => {
    expect(datesIn(daily('20270103'))).toHaveLength(3);
    expect(read(daily('20270103')).notes).toEqual([
      'line 5: UNTIL is a day, and DTSTART a time: taken until the end of 2027-01-03',
    ]);
  });

  it('in UTC, of days, is a day of the calendar', () => {
    const text = event('DTSTART:20270101', 'RRULE:FREQ=DAILY;UNTIL=20270102T230000Z');
    expect(datesIn(text, { timezone: 'Europe/Berlin' })).toEqual(['2027-01-01', '2027-01-02', '2027-01-03']);
    expect(datesIn(text)).toEqual(['2027-01-01', '2027-01-02']);
  });
});

describe('exceptions', () => {
  const series = (...lines: string[]) =>
    event(
      'DTSTART;TZID=Europe/Berlin:20270101T100000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=3',
      ...lines,
    );
  const days = (...lines: string[]) => event('DTSTART:20270101', 'RRULE:FREQ=DAILY;COUNT=3', ...lines);

  it.each([
    'EXDATE;TZID=Europe/Berlin:20270102T100000',
    'EXDATE:20270102T090000Z',
    'EXDATE;TZID=America/New_York:20270102T040000',
    'EXDATE;VALUE=DATE:20270102',
    'EXDATE:20270102',
  ])('%s leaves a time out', (line) => {
    expect(datesIn(series(line)).map((date) => date.slice(8, 10))).toEqual(['01', '03']);
    expect(read(series(line)).notes).toEqual([]);
  });

  it.each([
    'EXDATE;VALUE=DATE:20270102',
    'EXDATE:20270102T000000',
    'EXDATE:20270102T000000Z',
    'EXDATE;TZID=Europe/Berlin:20270102T000000',
  ])('%s leaves a day out', (line) => {
    expect(datesIn(days(line))).toEqual(['2027-01-01', '2027-01-03']);
  });

  it('says which one is no date of the series', () => {
    expect(read(days('EXDATE:20270102,20270105')).notes).toEqual([
      'line 5: EXDATE names 2027-01-05, which is not a date of the series',
    ]);
  });

  it.each([
    ['RDATE;TZID=Europe/Berlin:20270105T100000', '2027-01-05T10:00:00/2027-01-05T11:00:00'],
    ['RDATE:20270105T090000Z', '2027-01-05T10:00:00/2027-01-05T11:00:00'],
    ['RDATE;VALUE=PERIOD:20270105T090000Z/PT3H', '2027-01-05T10:00:00/2027-01-05T13:00:00'],
    ['RDATE;VALUE=PERIOD:20270105T090000Z/20270105T093000Z', '2027-01-05T10:00:00/2027-01-05T10:30:00'],
  ])('%s adds a time', (line, added) => {
    expect(datesIn(series(line))).toEqual([...datesIn(series()), added]);
  });

  it('leaves the DTSTART out that its rule does not name, and says so', () => {
    const text = event('DTSTART:20270101', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2');
    expect(datesIn(text)).toEqual(['2027-01-04', '2027-01-11']);
    expect(read(text).notes).toEqual([
      'line 3: DTSTART is 2027-01-01, which is not a date of its RRULE, and was left out',
    ]);
  });
});

describe('versions and replaced dates', () => {
  const master = ['UID:1', 'DTSTART:20270101', 'RRULE:FREQ=DAILY;COUNT=3'];

  it('moves a date, and takes it once though it has a rule of its own', () => {
    const text = events(master, ['UID:1', 'RECURRENCE-ID:20270102', 'DTSTART:20270110', 'RRULE:FREQ=DAILY']);
    expect(datesIn(text)).toEqual(['2027-01-01', '2027-01-03', '2027-01-10']);
    expect(read(text).notes).toEqual([
      'line 9: RECURRENCE-ID replaces one date of a series: its own RRULE and RDATE were left out',
    ]);
  });

  it('leaves a cancelled date out, also where it names the day in another form', () => {
    const cancelled = (id: string) => events(master, ['UID:1', id, 'DTSTART:20270102', 'STATUS:CANCELLED']);
    for (const id of ['RECURRENCE-ID;VALUE=DATE:20270102', 'RECURRENCE-ID:20270102T000000'])
      expect(datesIn(cancelled(id))).toEqual(['2027-01-01', '2027-01-03']);
    expect(read(cancelled('RECURRENCE-ID:20270102')).cancelled).toBe(1);
  });

  it('takes the highest SEQUENCE of a replaced date, and says which one it left out', () => {
    const moved = (to: number, sequence: number) => [
      'UID:1',
      'RECURRENCE-ID:20270102',
      `DTSTART:202701${to}`,
      `SEQUENCE:${sequence}`,
    ];
    const text = events(master, moved(10, 2), moved(11, 1));
    expect(datesIn(text)).toEqual(['2027-01-01', '2027-01-03', '2027-01-10']);
    expect(read(text).notes).toEqual([
      'line 13: the event has SEQUENCE 1; line 7 has a later one, and was taken',
    ]);
  });

  it('leaves a series out whose last version is cancelled', () => {
    const text = events(master, [...master, 'SEQUENCE:1', 'STATUS:CANCELLED']);
    expect(datesIn(text)).toEqual([]);
  });

  it('takes both of two events with one UID and SEQUENCE, and says so', () => {
    const text = events(['UID:1', 'DTSTART:20270101'], ['UID:1', 'DTSTART:20270105']);
    expect(datesIn(text)).toEqual(['2027-01-01', '2027-01-05']);
    expect(read(text).notes).toEqual([
      'line 6: the event has the UID and SEQUENCE of that on line 2; both were taken',
    ]);
  });
});

describe('a date of every year', () => {
  const yearly = ['UID:1', 'DTSTART;VALUE=DATE:20200704', 'RRULE:FREQ=YEARLY'];

  it('is one if no year is cancelled, moved or excluded', () => {
    expect(datesIn(event(...yearly))).toEqual(['07-04']);
    expect(datesIn(event(...yearly.slice(0, 2), 'RRULE:FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4'))).toEqual([
      '07-04',
    ]);
  });

  it.each([
    [
      'cancelled',
      events(yearly, ['UID:1', 'RECURRENCE-ID:20270704', 'DTSTART:20270704', 'STATUS:CANCELLED']),
      ['2026-07-04'],
    ],
    [
      'moved',
      events(yearly, ['UID:1', 'RECURRENCE-ID:20270704', 'DTSTART:20270705']),
      ['2026-07-04', '2027-07-05'],
    ],
    ['excluded', event(...yearly, 'EXDATE:20270704'), ['2026-07-04']],
    ['added', event(...yearly, 'RDATE:20270705'), ['2026-07-04', '2027-07-04', '2027-07-05']],
    ['the last one', event(...yearly.slice(0, 2), 'RRULE:FREQ=YEARLY;UNTIL=20270101'), ['2026-07-04']],
    ['still to begin', event('DTSTART:20270704', 'RRULE:FREQ=YEARLY'), ['2027-07-04']],
  ])('is none if a year is %s', (_, text, dates) => {
    expect(datesIn(text)).toEqual(dates);
  });
});
