import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
let file: string;
let out: string;
beforeEach(() => {
  session = new Session();
  file = join(session.home, 'billing.asl.json');
  out = join(session.home, 'jobs.yaml');
});
afterEach(() => session.end());

const call = (fields: object = {}) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::http:invoke',
  Parameters: {
    ApiEndpoint: 'https://example.com/charge',
    Method: 'POST',
    RequestBody: { 'all.$': '$', text: 'costs ${Price}' },
    Authentication: { ConnectionArn: '${Connection}' },
  },
  End: true,
  ...fields,
});
const HANDLED = {
  StartAt: 'Charge',
  States: {
    Charge: call({ Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Failed' }] }),
    Failed: { Type: 'Fail', Cause: 'no money' },
  },
};
const write = (machine: object) => writeFileSync(file, JSON.stringify(machine, undefined, 2));
/** The second one keeps a text that only looks like a placeholder. */
const VALUES = `--substitute Connection=arn:c --substitute 'Price=\${Price}'`;

test('writes a file that workflow check and plan take, and that apply makes a job of', async () => {
  write(HANDLED);
  const { exitCode, stdout } = await session.run(`import step-functions ${file} ${VALUES} --out ${out}`);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('1 can be imported, 0 cannot.')]);
  expect((await session.run(`workflow check ${out}`)).exitCode).toBe(0);
  expect((await session.run(`plan ${out}`)).exitCode).toBe(0);
  expect((await session.run(`apply --yes ${out}`)).stdout).toContain('Done: 1 of 1.');
  expect(await session.json('jobs get billing')).toMatchObject({
    status: 'active',
    workflow: { tasks: { Charge: { input: { text: 'costs ${Price}' } } } },
  });
});

test('names each placeholder that has no value, and writes no file', async () => {
  write(HANDLED);
  const { exitCode, stdout, stderr } = await session.run(`import step-functions ${file} --out ${out}`);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('x billing.asl.json: ${Connection}  it is a placeholder without a value');
  expect(stdout).toContain("give it by --substitute 'Price=VALUE'");
  expect(stderr).toContain('Wrote no file: no job can be imported.');
  expect(existsSync(out)).toBe(false);
});

test('a placeholder may stand in the place of a number', async () => {
  writeFileSync(file, '{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":${Seconds},"End":true}}}');
  expect((await session.run(`import step-functions ${file}`)).stdout).toContain('${Seconds}');
  await session.run(`import step-functions ${file} --substitute Seconds=90 --out ${out}`);
  expect(readFileSync(out, 'utf8')).toContain('delay: 90s');
});

test('a value for no placeholder is a mistake', async () => {
  write({ ...HANDLED, States: { Charge: { Type: 'Succeed' } } });
  const { exitCode, stderr } = await session.run(`import step-functions ${file} --substitute Arn=x`);
  expect([exitCode, stderr]).toEqual([
    3,
    expect.stringContaining('--substitute Arn: the definition has no ${Arn}'),
  ]);
});

const REFUSED = {
  StartAt: 'Ask',
  States: {
    Ask: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken', Next: 'Wait' },
    Wait: { Type: 'Wait', Seconds: 5, End: true },
  },
};

test('a machine that is not translated as a whole is neither written nor applied', async () => {
  write(REFUSED);
  const written = await session.run(`import step-functions ${file} --out ${out}`);
  expect([written.exitCode, existsSync(out)]).toEqual([1, false]);
  expect(written.stdout).toContain(
    'x billing.asl.json: Ask  sqs:sendMessage.waitForTaskToken waits for a token',
  );
  expect((await session.run(`import step-functions ${file} --apply --yes`)).exitCode).toBe(1);
  expect((await session.run('jobs get billing')).exitCode).toBe(5);
});

test('in part, it is paused and says so, in the file too', async () => {
  write(REFUSED);
  const { exitCode, stdout } = await session.run(`import step-functions ${file} --partial --out ${out}`);
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('imported in part, and paused')]);
  expect(readFileSync(out, 'utf8')).toContain(
    '# billing.asl.json: Ask: sqs:sendMessage.waitForTaskToken waits',
  );
  expect((await session.run(`apply --yes ${out}`)).stdout).toContain('Done: 1 of 1.');
  expect(await session.json('jobs get billing')).toMatchObject({ status: 'paused' });
});
