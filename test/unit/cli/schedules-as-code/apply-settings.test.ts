import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

function file(text: string): string {
  const path = join(session.home, 'jobs.yaml');
  writeFileSync(path, text);
  return path;
}

/** The requests that change something. */
const writes = () =>
  session.requests.filter((one) => /^(PUT|PATCH|DELETE) /.test(one) || /\/(pause|resume)$/.test(one));

describe('a notification of a file', () => {
  const text = (interval = '10m') => `
notifications:
  ops:
    on: [failed, recovered]
    target: { type: http, url: https://example.com/ops }
    minInterval: ${interval}
`;

  test('is planned, set, and equal to what is stored then', async () => {
    const planned = await session.run(`plan ${file(text())}`);
    expect(planned.stdout).toBe(
      '+ notification ops\n\n1 notification to set, 0 to add, 0 to change, 0 to remove, 0 unchanged.\n',
    );
    expect(writes()).toEqual([]);
    expect((await session.run(`apply --yes ${file(text())}`)).stdout).toContain('Done: 1 of 1.');
    expect(await session.json('notifications get ops')).toMatchObject({ format: 'json', minInterval: '10m' });
    expect((await session.run(`plan ${file(text())}`)).stdout).toBe('Nothing to do: 0 unchanged.\n');
    const changed = await session.run(`plan ${file(text('1h'))}`);
    expect(changed.stdout).toContain('~ notification ops\n    minInterval  "10m" → "1h"\n');
  });

  test('is an error with its line if it cannot be set', async () => {
    const wrong = await session.run(`plan ${file('notifications:\n  ops: { on: [failed], to: x }\n')}`);
    expect(wrong.stderr).toContain('jobs.yaml:2: ops: to: is unknown; expected on, filter');
    expect(wrong.stderr).toContain('jobs.yaml:2: ops: target: is missing');
    const rejected = await session.run(`apply --yes ${file(text('1s'))}`);
    expect(rejected.exitCode).not.toBe(0);
    expect(rejected.stderr).toContain('jobs.yaml:6: notification ops: minInterval: "1s" is out of range');
  });
});

test('a calendar of a file that has changed shows each field', async () => {
  const text = (day: string) => `calendars:\n  de: { dates: ["2027-12-${day}"] }\n`;
  await session.run(`apply --yes ${file(text('24'))}`);
  const { stdout } = await session.run(`plan ${file(text('25'))}`);
  expect(stdout).toContain('~ calendar de\n    dates  ["2027-12-24"] → ["2027-12-25"]\n');
});

test('a plan says where the calendars end that it sets, or that its jobs name', async () => {
  const stored = 'calendars:\n  stored: { dates: ["2026-12-26"], weekdays: [SUN] }\n';
  await session.run(`apply --yes ${file(stored)}`);
  const { stdout } = await session.run(
    `plan ${file(`calendars:
  de: { dates: ["2027-01-01", { from: "2027-12-24", to: "2027-12-26" }] }
  weekends: { weekdays: [SAT, SUN] }
jobs:
  report:
    schedule:
      { type: cron, expression: 0 9 * * *, timezone: UTC, exclude: [{ calendar: stored }, { calendar: weekends }] }
    target: { type: http, url: https://example.com/hook }
`)}`,
  );
  expect(stdout.match(/^calendar .*$/gm)).toEqual([
    'calendar de knows nothing after 2027-12-26',
    'calendar stored knows nothing after 2026-12-26 but what recurs',
  ]);
});

describe('values of --env and --env-file', () => {
  const SECRET = 'ghp_x7Kq"2\\m';
  const ENV = { env: { TOKEN: SECRET } };
  const TEXT = `
calendars:
  de: { dates: [{ from: "2027-12-24", to: "2027-12-26", note: "\${TOKEN}" }] }
jobs:
  report:
    schedule: { type: cron, expression: "\${AT}" }
    payload: { key: "\${TOKEN}", region: "\${REGION}" }
    target: { type: http, url: "https://example.com/?k=\${STAGE}", headers: { X-Note: "n \${TOKEN}" } }
`;
  const flags = () => {
    writeFileSync(join(session.home, 'prod.env'), 'STAGE=staging-7f\nAT=0 9 * * *\n');
    return `--env-file ${join(session.home, 'prod.env')} --env TOKEN --var REGION=eu-west`;
  };
  const hidden = [SECRET, JSON.stringify(SECRET).slice(1, -1), 'staging-7f', '0 9 * * *'];

  const expectHidden = (text: string) => {
    for (const value of hidden) expect(text).not.toContain(value);
    for (const name of ['TOKEN', 'STAGE']) expect(text).toContain(`\${${name}}`);
  };

  test.each(['', ' --json'])(
    'are shown by their names, also where they are stored already%s',
    async (json) => {
      const path = file(TEXT);
      expectHidden((await session.run(`plan ${path} ${flags()}${json}`, ENV)).stdout);
      const applied = await session.run(`apply --yes ${path} ${flags()} --yes`, ENV);
      for (const value of hidden) expect(applied.stdout + applied.stderr).not.toContain(value);
      const job = await session.json('jobs get report');
      expect(job).toMatchObject({
        payload: { key: SECRET },
        target: { url: 'https://example.com/?k=staging-7f' },
      });
      writeFileSync(path, TEXT.replaceAll('?k=', '?key=').replace('{ key:', '{ token:'));
      expectHidden((await session.run(`plan ${path} ${flags()}${json}`, ENV)).stdout);
    },
  );

  test('are not in errors of the API either', async () => {
    const text = 'jobs:\n  a: { schedule: { type: none }, target: { type: http, url: "${TOKEN}" } }\n';
    const { exitCode, stderr } = await session.run(`plan ${file(text)} ${flags()}`, ENV);
    expect(exitCode).not.toBe(0);
    expect(stderr).not.toContain(SECRET);
  });
});
