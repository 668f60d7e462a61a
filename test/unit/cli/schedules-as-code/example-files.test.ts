import { join } from 'node:path';

import { Session } from '../terminal-session';

const FILES = join(__dirname, '../../../../examples/jobs');

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

/** A command that has to succeed. */
async function ran(args: string, stdin?: string): Promise<string> {
  const { stdout, stderr, exitCode } = await session.run(args, { stdin });
  expect({ args, stderr, exitCode }).toEqual({ args, stderr: '', exitCode: 0 });
  return stdout;
}

test('the API takes the files of the examples, and has what they say', async () => {
  await ran('secrets set shop --host shop.example', 'p4ssw0rd');
  await ran('concurrency-keys set shop --limit 5');
  const files = `${FILES} --var BASE_URL=https://shop.example`;
  expect(await ran(`apply --yes ${files}`)).toContain('Done: 6 of 6.');
  expect(await ran(`plan ${files}`)).toBe('Nothing to do: 4 unchanged.\n');
});
