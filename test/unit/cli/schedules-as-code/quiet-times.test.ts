import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

function file(schedule: string, expectEvery: string): string {
  const path = join(session.home, 'jobs.yaml');
  const target = '{ type: http, url: https://example.com/report }';
  writeFileSync(
    path,
    `jobs:\n  report: { schedule: ${schedule}, expectEvery: ${expectEvery}, target: ${target} }\n`,
  );
  return path;
}

const WEEKDAYS = "'30 2 * * MON-FRI'";

test('a plan tells of a pause of the schedule that is longer than expectEvery', async () => {
  const { stdout } = await session.run(`plan ${file(WEEKDAYS, '25h')}`);
  expect(stdout).toMatch(
    /\nreport has expectEvery 25h, but nothing is due for 72 h from .*2026-12-04.* on\n/,
  );
  const { quietTimes } = await session.json(`plan ${file(WEEKDAYS, '25h')}`);
  expect(quietTimes).toEqual([{ jobId: 'report', text: expect.stringContaining('72 h') }]);
});

test.each([
  [WEEKDAYS, '73h'],
  ["'30 2 * * *'", '25h'],
  ['rate(1 day)', '25h'],
  ['none', '25h'],
])('a plan says nothing of %s with expectEvery %s', async (schedule, expectEvery) => {
  const { exitCode, stdout } = await session.run(`plan ${file(schedule, expectEvery)}`);
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('nothing is due');
});
