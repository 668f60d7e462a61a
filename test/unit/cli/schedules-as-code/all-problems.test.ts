import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

/** The lines that a command prints about a file, without the name of the file. */
async function problemsOf(command: string, lines: string[]): Promise<string[]> {
  const path = join(session.home, 'jobs.yaml');
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { exitCode, stderr } = await session.run(`${command} ${path}`);
  expect(exitCode).not.toBe(0);
  return stderr
    .replace(/^quarterjack: /, '')
    .replaceAll(`${path}:`, '')
    .trimEnd()
    .split('\n');
}

const HOOK = 'target: { type: http, url: https://example.com/a }';

test.each(['plan', 'apply --yes', 'workflow check'])(
  '%s tells of all problems of a file at once, each with its line, job and field',
  async (command) => {
    const found = await problemsOf(command, [
      'jobs:',
      '  a:',
      '    schedul: { type: cron, expression: 0 3 * * * }',
      `    workflow: { tasks: { one: { ${HOOK} }, two: { ${HOOK}, dependsOn: [onee] } } }`,
      '  b:',
      '    schedule: { type: cron, expression: 0 3 * * *, timezone: Europe/Berln }',
      '    workflow:',
      '      tasks:',
      '        load: { target: { type: htpp, url: https://example.com/b } }',
      '    retry: { maxAttemps: 3 }',
      '    priority: hihg',
    ]);
    expect(found).toEqual([
      '3: a: schedul: is unknown; did you mean "schedule"?',
      expect.stringMatching(/^4: a: workflow\.tasks\.two\.dependsOn\.0(\.task)?: .*did you mean "one"\?$/),
      '6: b: schedule.timezone: "Europe/Berln" is no IANA time zone; did you mean "Europe/Berlin"?',
      expect.stringMatching(/^9: b: workflow\.tasks\.load\.target\.type: must be .*; did you mean "http"\?$/),
      expect.stringMatching(/^11: b: priority: .*; did you mean "high"\?$/),
      '10: b: retry.maxAttemps: is not a known field; did you mean "maxAttempts"?',
    ]);
  },
);

test('a target that is a text is told what a target is', async () => {
  const [problem] = await problemsOf('plan', [
    'jobs:',
    '  a: { schedule: every 5m, target: "https://example.com" }',
  ]);
  expect(problem).toBe(
    '2: a: target: must be an object with a type, such as {"type":"http","url":"https://example.com"}',
  );
});

test('the same jobId twice is named with both lines', async () => {
  const job = `{ schedule: every 5m, ${HOOK} }`;
  expect(await problemsOf('plan', ['jobs:', `  report: ${job}`, `  report: ${job}`])).toEqual([
    '3: jobs.report: is already defined at 2',
  ]);
});

test('a number that is a quoted variable is told about its quotes', async () => {
  const [problem] = await problemsOf('plan', [
    'jobs:',
    `  a: { schedule: every 5m, ${HOOK}, retry: { maxAttempts: "\${ATTEMPTS:-3}" } }`,
  ]);
  expect(problem).toMatch(
    /^2: a: retry\.maxAttempts: must be a whole number.*; the quotes make it a text: write /,
  );
});

test('a problem of the defaults has their line', async () => {
  const [problem] = await problemsOf('plan', [
    'defaults:',
    '  retry: { maxAttempts: 500 }',
    'jobs:',
    `  a: { schedule: every 5m, ${HOOK} }`,
  ]);
  expect(problem).toMatch(/^2: a: retry\.maxAttempts: /);
});

test('without an API, the problems of the file are told all the same', async () => {
  session.instead.push(new Error('refused'), new Error('refused'), new Error('refused'));
  const found = await problemsOf('plan', ['job:', `  a: { schedule: every 5m, ${HOOK} }`]);
  expect(found[0]).toBe('1: job: is unknown; did you mean "jobs"?');
  expect(found[1]).toMatch(/^the API could not be asked for more: /);
});

test('jobs create --file names the line of each problem', async () => {
  expect(
    await problemsOf('jobs create --file', [
      'jobId: a',
      'schedule: { type: cron, expression: 0 3 * * *, timezone: Berlin }',
      'target: { type: http, ulr: https://example.com/a }',
      'priorty: high',
    ]),
  ).toEqual([
    '2: a: schedule.timezone: "Berlin" is no IANA time zone; did you mean "Europe/Berlin"?',
    '3: a: target.url: is required',
    '3: a: target.ulr: is not a known field; did you mean "url"?',
    '4: a: priorty: is not a known field; did you mean "priority"?',
  ]);
});
