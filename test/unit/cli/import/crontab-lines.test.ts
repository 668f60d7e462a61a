import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { httpCommandOf } from '../../../../cli/import/crontab/http-command';
import { readCrontab } from '../../../../cli/import/crontab/read-crontab';
import { importFromCrontab } from '../../../../cli/import/crontab/translate';
import { Session } from '../terminal-session';

describe('what an HTTP call does otherwise than its command', () => {
  test.each([
    ['curl -m 5 https://a.test', []],
    ['curl https://a.test', ['curl has no time-out here; a call ends at target.timeout']],
    [
      'curl -fsSL -m 5 https://a.test',
      ['curl follows redirects here, and a job does not: give the last URL'],
    ],
    [
      'curl -m 5 --retry 3 --retry-delay 9 --connect-timeout 2 https://a.test',
      [
        '--retry 3 becomes retry.maxAttempts: each failure is retried',
        '--retry-delay 9 is not imported: see retry.initialDelay',
        'the time-out of the connection is not imported: target.timeout is of the call',
      ],
    ],
    [
      'wget -T 5 -t 2 -qO- https://a.test',
      [
        'tries of wget (2) are not imported: a job has retry.maxAttempts',
        'wget follows redirects here, and a job does not: give the last URL',
      ],
    ],
  ])('is noted for %s', (command, notes) => {
    expect(httpCommandOf(command)?.notes).toEqual(notes);
  });

  test('is none for its retries', () => {
    const crontab = readCrontab('0 1 * * * curl -m 5 --retry 3 https://a.test', { system: false });
    const { jobs } = importFromCrontab(crontab, { path: 'crontab', timezone: 'UTC' });
    expect(jobs[0]?.definition.retry).toEqual({ maxAttempts: 4 });
  });

  test('is none for what stands in quotes', () => {
    expect(httpCommandOf("curl -m 5 'https://a.test/?q=1 >/dev/null'")?.target).toMatchObject({
      url: 'https://a.test/?q=1 >/dev/null',
    });
  });
});

describe('a line that is none of a crontab', () => {
  const reasonsOf = (text: string, system = false) =>
    readCrontab(text, { system }).unreadable.map(({ reason }) => reason);

  test.each([
    ['1 5 cron.daily nice run-parts --report /etc/cron.daily', false],
    ['@monthly 45 cron.monthly nice run-parts /etc/cron.monthly', false],
    ['@monthly 45 cron.monthly nice run-parts /etc/cron.monthly', true],
    ['7\t10\tbackup.weekly\t/bin/backup', true],
  ])('is one of anacron: %s', (line, system) => {
    expect(reasonsOf(line, system)).toEqual([expect.stringContaining('a line of anacron')]);
  });

  test.each(['$HOME/bin/x', 'env', '/usr/bin/php', '[', 'curl'])('names no user, but %s', (word) => {
    expect(reasonsOf(`0 1 * * * ${word} --all /bin/x`, true)).toEqual([
      expect.stringContaining(`${word} is no user`),
    ]);
  });

  test('is longer than 64 KB', () => {
    expect(reasonsOf(`# a crontab\n0 1 * * * echo ${'x'.repeat(65_536)}`)).toEqual([
      expect.stringContaining('at most 65536 are read'),
    ]);
  });

  test('is none of these', () => {
    const text = '0 1 LW * * /bin/x\n@daily 7z a x\n1 5 1 JAN * /bin/x\n0 1 * * MON www-data /bin/x';
    expect(reasonsOf(text)).toEqual([]);
  });
});

test('RANDOM_DELAY becomes jitter', () => {
  const crontab = readCrontab('RANDOM_DELAY=45\n0 1 * * * curl -m 5 https://a.test', { system: false });
  const [job] = importFromCrontab(crontab, { path: 'crontab', timezone: 'UTC' }).jobs;
  expect(job).toMatchObject({
    definition: { schedule: { jitter: '45m' } },
    notes: ['RANDOM_DELAY=45 becomes jitter: a delay that is the same for every run'],
  });
});

/** Each takes much longer than a test may, where time grows with the square of the length. */
test.each([' ', '"', ' -u a', ' > ', '://', 'a-', "-u '", ' 2>&1', '\\u2028', ' A=1', ' nice', ')', ' ;'])(
  'a line of %j is read',
  (part) => {
    const long = `${part.repeat(65_000 / part.length)}x`;
    for (const [line, system] of [`curl ${long}`, long].flatMap((command) => [
      [`0 1 * * * ${command}`, false] as const,
      [`0 1 * * * root ${command}`, true] as const,
    ])) {
      const crontab = readCrontab(line, { system });
      const { jobs, refused } = importFromCrontab(crontab, {
        path: 'crontab',
        timezone: 'UTC',
        queue: 'host',
      });
      expect(jobs.length + refused.length).toBe(1);
    }
  },
);

test.each(['missing/jobs.yaml', '.'])('a file that cannot be written is named: %s', async (name) => {
  const session = new Session();
  const [source, out] = [join(session.home, 'crontab'), join(session.home, name)];
  writeFileSync(source, '0 1 * * * curl -m 5 https://a.test');
  const { exitCode, stderr } = await session.run(`import crontab ${source} --timezone UTC --out ${out}`);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(`${out} cannot be written`);
  expect(stderr).not.toContain('    at ');
  session.end();
});
