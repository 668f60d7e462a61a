import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { httpCommandOf } from '../../../../cli/import/crontab/http-command';
import { readCrontab } from '../../../../cli/import/crontab/read-crontab';
import { importFromCrontab } from '../../../../cli/import/crontab/translate';
import { Session } from '../terminal-session';

const USER = `# m h dom mon dow command
MAILTO=ops@example.com
PATH = "/usr/bin:/bin"

*/5 * * * *  curl -fsS https://example.com/cron.php?a=1 >/dev/null 2>&1
@daily       /usr/local/bin/backup.sh --full
-0 3 * * 0   mail -s "100\\% done" me@example.com%Hello%and bye
CRON_TZ=America/New_York
30 9 * * MON-FRI wget -q -O - http://10.0.0.1/report
@reboot /usr/bin/start
0~59 * * * * /usr/bin/any
*/5 * * *
`;

describe('a crontab', () => {
  const { entries, unreadable } = readCrontab(USER, { system: false });

  test('has entries with the settings above them', () => {
    const env = { MAILTO: 'ops@example.com', PATH: '/usr/bin:/bin' };
    expect(entries).toEqual([
      {
        line: 5,
        expression: '*/5 * * * *',
        command: 'curl -fsS https://example.com/cron.php?a=1 >/dev/null 2>&1',
        env,
      },
      { line: 6, expression: '@daily', command: '/usr/local/bin/backup.sh --full', env },
      {
        line: 7,
        expression: '0 3 * * 0',
        command: 'mail -s "100% done" me@example.com',
        stdin: 'Hello\nand bye',
        env,
      },
      {
        line: 9,
        expression: '30 9 * * MON-FRI',
        command: 'wget -q -O - http://10.0.0.1/report',
        timezone: 'America/New_York',
        env,
      },
    ]);
  });

  test('has lines that cannot be imported, with the reason', () => {
    expect(unreadable.map(({ line, reason }) => [line, reason.slice(0, 24)])).toEqual([
      [10, '@reboot is not a time: a'],
      [11, '0~59 * * * *: "~" is a r'],
      [12, 'expected a schedule and '],
    ]);
  });

  test('of the system names a user in each line', () => {
    const text =
      '17 * * * *\troot\tcd / && run-parts --report /etc/cron.hourly\n@midnight www-data /bin/x\n@daily root\n';
    const system = readCrontab(text, { system: true });
    expect(system.entries).toMatchObject([
      { user: 'root', expression: '17 * * * *', command: 'cd / && run-parts --report /etc/cron.hourly' },
      { user: 'www-data', expression: '@daily', command: '/bin/x' },
    ]);
    expect(system.unreadable).toHaveLength(1);
  });
});

test.each<[string, object, unknown?]>([
  ['curl https://a.test', { url: 'https://a.test', method: 'GET' }],
  [
    "/usr/bin/curl -sS -X put -H 'X-Kind: a' a.test/b",
    { url: 'http://a.test/b', method: 'PUT', headers: { 'X-Kind': 'a' } },
  ],
  [
    `curl --json '{"a":1}' https://a.test`,
    { url: 'https://a.test', method: 'POST', headers: { 'Content-Type': 'application/json' } },
    { a: 1 },
  ],
  [`curl -d '[1]' --request=PATCH https://a.test`, { url: 'https://a.test', method: 'PATCH' }, [1]],
  [
    'curl -m10 -o /dev/null --retry 3 https://a.test &> /dev/null',
    { url: 'https://a.test', method: 'GET', timeout: '10s' },
  ],
  [
    'curl -u bob:secret https://a.test',
    { url: 'https://a.test', method: 'GET', headers: { Authorization: 'Basic Ym9iOnNlY3JldA==' } },
  ],
  [
    "curl -H '__proto__: a' https://a.test",
    { url: 'https://a.test', method: 'GET', headers: { ['__proto__']: 'a' } },
  ],
  [
    "curl --aws-sigv4 aws:amz:eu-central-1:execute-api -u AKIA:key -H 'X-Amz-Security-Token: t' https://a.test",
    {
      url: 'https://a.test',
      method: 'GET',
      auth: { type: 'aws', service: 'execute-api', region: 'eu-central-1' },
    },
  ],
  [
    'curl --cert /etc/pki/client.crt --key /etc/pki/client.key --cacert ca.pem https://a.test',
    {
      url: 'https://a.test',
      method: 'GET',
      tls: {
        certificate: '{{ secrets.client-crt }}',
        key: '{{ secrets.client-key }}',
        ca: '{{ secrets.ca-pem }}',
      },
    },
  ],
  ['wget -qO- https://a.test/x', { url: 'https://a.test/x', method: 'GET' }],
  [
    "wget --quiet -O - --timeout=5 --post-data='{}' 'https://a.test/?x=1&y=2'",
    { url: 'https://a.test/?x=1&y=2', method: 'POST', timeout: '5s' },
    {},
  ],
])('%s is translated to an HTTP request', (...[command, target, payload]) => {
  const found = httpCommandOf(command);
  expect([found?.target, found?.payload]).toEqual([{ type: 'http', ...target }, payload]);
});

test.each([
  'curl --aws-sigv4 aws:amz:eu-central-1:s3 https://a.test',
  'curl --aws-sigv4 aws:amz https://a.test',
  'curl --cert client.pem https://a.test',
  'curl --cert client.crt:password --key client.key https://a.test',
  'curl https://a.test | mail me',
  'curl https://a.test; curl https://b.test',
  'curl https://a.test && true',
  'curl "https://a.test/$(date)"',
  'curl https://a.test/$HOME',
  'curl https://a.test > /var/log/x',
  'curl https://a.test https://b.test',
  'curl -d a=1 https://a.test',
  'curl -d @file https://a.test',
  'curl --cert x https://a.test',
  'curl -X',
  'curl',
  "curl 'https://a.test",
  'backup.sh',
  'curl -o /var/www/index.html https://a.test',
  'curl -I https://a.test',
  'curl -X HEAD https://a.test',
  'curl --unknown https://a.test',
  'curl -m soon https://a.test',
  "curl -d '{}' -d '{}' https://a.test",
  'curl -H @file https://a.test',
  "curl 'https://a.test/[1-9]'",
  'wget https://a.test/file',
  'wget -q https://a.test/file',
  'wget -O file https://a.test',
  'wget --spider https://a.test',
  'wget -q0- https://a.test',
])('%s is not translated', (command) => {
  expect(httpCommandOf(command)).toBeUndefined();
});

describe('jobs of a crontab', () => {
  const crontab = readCrontab(USER, { system: false });
  const options = { path: 'crontab', timezone: 'Europe/Berlin' };

  test('call the URL of the line, in the time zone of the machine or of CRON_TZ', () => {
    const { jobs } = importFromCrontab(crontab, options);
    expect(jobs.map(({ source, definition }) => [source, definition.schedule, definition.target])).toEqual([
      [
        'crontab:5',
        { type: 'cron', expression: '*/5 * * * *', timezone: 'Europe/Berlin' },
        { type: 'http', url: 'https://example.com/cron.php?a=1', method: 'GET' },
      ],
      [
        'crontab:9',
        { type: 'cron', expression: '30 9 * * MON-FRI', timezone: 'America/New_York' },
        { type: 'http', url: 'http://10.0.0.1/report', method: 'GET' },
      ],
    ]);
    expect(jobs[0]).toMatchObject({
      definition: { retry: { maxAttempts: 1 }, tags: { 'imported-from': 'crontab' } },
      notes: [
        'curl has no time-out here; a call ends at target.timeout',
        'output is not mailed to ops@example.com, here and in later lines; the history keeps the beginning of responses',
      ],
    });
  });

  test('have no credentials in their name, and the note on mail once', () => {
    const text = [
      'MAILTO=ops@example.com',
      '0 9 * * * curl -u alice:hunter2 https://example.com/a',
      "1 9 * * * curl -H 'X-Api-Key: hunter2' https://example.com/b",
      '2 9 * * * curl https://bob:hunter2@example.com/c',
      '3 9 * * * curl https://example.com/d',
    ].join('\n');
    const { jobs } = importFromCrontab(readCrontab(text, { system: false }), options);
    expect(jobs.map(({ definition }) => definition.name).join()).not.toContain('hunter2');
    expect(jobs.map(({ notes }) => notes.filter((note) => note.includes('readable form')).length)).toEqual([
      1, 1, 1, 0,
    ]);
    expect(jobs.flatMap(({ notes }) => notes).filter((note) => note.includes('mailed'))).toHaveLength(1);
  });

  test('send other commands to the URL template, if there is one', () => {
    const { jobs, refused } = importFromCrontab(crontab, {
      ...options,
      urlTemplate: 'https://ops.test/run/{jobId}',
    });
    const [, backup, mail] = jobs;
    expect(backup?.jobId).toMatch(/^backup\.sh-[0-9a-f]{8}$/);
    expect(backup?.definition).toMatchObject({
      target: { type: 'http', url: `https://ops.test/run/${backup?.jobId}` },
      payload: { command: '/usr/local/bin/backup.sh --full', env: { PATH: '/usr/bin:/bin' } },
    });
    expect(mail?.definition.payload).toMatchObject({ stdin: 'Hello\nand bye' });
    expect(refused).toHaveLength(3);
  });

  test('have an id that does not depend on the line number, and a repeated line is rejected', () => {
    const ids = (text: string) =>
      importFromCrontab(readCrontab(text, { system: false }), options).jobs.map(({ jobId }) => jobId);
    const line = '0 9 * * * curl https://a.test/x\n';
    expect(ids(`\n# moved\n${line}`)).toEqual(ids(line));
    expect(importFromCrontab(readCrontab(line + line, { system: false }), options).refused).toHaveLength(1);
  });
});

describe('the command', () => {
  let session: Session;
  beforeEach(() => (session = new Session()));
  afterEach(() => session.end());

  test('shows the jobs, creates them with --apply, and lists what cannot be imported', async () => {
    const file = join(session.home, 'crontab');
    writeFileSync(file, USER.replace('http://10.0.0.1/report', 'https://example.com/report'));
    const shown = await session.run(`import crontab ${file} --timezone Europe/Berlin`);
    expect(shown.exitCode).toBe(1);
    expect(shown.stdout).toContain('2 can be imported, 5 cannot.');
    expect(shown.stdout).toMatch(
      /x \S+:6 {2}a job cannot run a command: \/usr\/local\/bin\/backup\.sh --full; use --queue for a worker/,
    );
    await session.run(`import crontab ${file} --timezone Europe/Berlin --apply --yes`);
    const jobs = await session.json('jobs list --tag imported-from:crontab');
    expect(jobs.map(({ target }: { target: { url: string } }) => target.url).toSorted()).toEqual([
      'https://example.com/cron.php?a=1',
      'https://example.com/report',
    ]);
  });

  test('the dry run refuses what the API would refuse, and changes nothing', async () => {
    const lines = ['0 24 * * *', '0 9 * * 5-1', '0 9 31 2 *', '@every 5m', '0 9 * * *'];
    const stdin = lines.map((line, index) => `${line} curl https://example.com/${index}\n`).join('');
    for (const flags of ['', ` --out ${join(session.home, 'jobs.yaml')}`]) {
      const { stdout, exitCode } = await session.run(`import crontab - --timezone UTC${flags}`, { stdin });
      expect(exitCode).toBe(1);
      expect(stdout).toContain('1 can be imported, 4 cannot.');
      expect(stdout).toMatch(/x stdin:1 {2}schedule\.expression: .*24/);
    }
    expect(await session.json('jobs list')).toEqual([]);
    expect(await session.run(`plan ${join(session.home, 'jobs.yaml')}`)).toMatchObject({ exitCode: 0 });
  });

  test('a time zone that does not exist is a usage error', async () => {
    const stdin = '0 9 * * * curl https://example.com\n';
    const { exitCode, stderr } = await session.run('import crontab - --timezone Mars/X', { stdin });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('--timezone is "Mars/X"; expected an IANA time zone');
    const windows = await session.run("import crontab - --timezone 'W. Europe Standard Time'", {
      stdin,
    });
    expect([windows.exitCode, windows.stderr]).toEqual([
      3,
      expect.stringContaining('did you mean "Europe/Berlin"?'),
    ]);
  });

  test('reads stdin, and says which time zone it assumes', async () => {
    const { stderr, exitCode } = await session.run('import crontab - --json', {
      stdin: '0 9 * * * curl https://a.test\n',
    });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Times are in \S+, this machine's time zone/);
  });
});
