import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

function file(...lines: string[]): string {
  const path = join(session.home, 'closed.ics');
  writeFileSync(path, ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'));
  return path;
}

it('says how many events and dates it took, what it left out, and why', async () => {
  const path = file(
    ...['BEGIN:VEVENT', 'DTSTART:20190101', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'DTSTART:20990101', 'STATUS:CANCELLED', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'DTSTART:20990102', 'RULE:FREQ=DAILY', 'END:VEVENT'],
  );
  const ended = await session.run(`calendars import ${path} --id closed`);
  expect(ended).toMatchObject({ exitCode: 0, stdout: 'closed is set: 0 jobs replanned\n' });
  expect(ended.stderr.split('\n')).toEqual([
    '3 events: 1 date, 0 of every year.',
    'Left out: 1 ended before this year, 1 cancelled.',
    'The calendar knows nothing after 2099-01-02.',
    'line 11: RULE is unknown, and was not read',
    '',
  ]);
});

it('names the file and line of what it does not understand, and sets nothing', async () => {
  const path = file('BEGIN:VEVENT', 'DTSTART:20990101', 'RRULE:FREQ=SECONDLY', 'END:VEVENT');
  const ended = await session.run(`calendars import ${path} --id closed`);
  expect(ended.exitCode).toBe(3);
  expect(ended.stderr).toContain(`${path}: line 4: RRULE has FREQ=SECONDLY`);
  expect(ended.stderr).not.toContain('    at ');
  expect((await session.run('calendars list')).stdout).toBe('no calendars\n');
});

it('shows after which day a calendar knows nothing', async () => {
  const path = file('BEGIN:VEVENT', 'DTSTART:20991224', 'DTEND:20991227', 'END:VEVENT');
  await session.run(`calendars import ${path} --id closed --weekdays SUN`);
  expect((await session.run('calendars show closed')).stdout).toContain(
    '\nknows nothing after 2099-12-26 but what recurs\n',
  );
  expect(await session.json('calendars show closed')).toMatchObject({ knownUntil: '2099-12-26' });
  expect((await session.run('calendars list')).stdout).toMatch(/KNOWN UNTIL.*\nclosed .*2099-12-26/);
  await session.run(`calendars set closed - `, { stdin: 'weekdays: [SUN]' });
  expect(await session.json('calendars show closed')).not.toHaveProperty('knownUntil');
});
