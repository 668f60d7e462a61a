import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHECKOUT_DIR = join(__dirname, '../../..');

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'quarterjack-home-'))));
afterEach(() => rmSync(home, { recursive: true }));

/** What the command line prints to stderr without an AWS region. */
const stderrOfImport = (nodeFlags: string[] = []): Promise<string> =>
  new Promise((done) => {
    const env = { ...process.env };
    // The setup of the tests sets the last one.
    for (const name of [
      'AWS_REGION',
      'AWS_DEFAULT_REGION',
      'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED',
    ])
      delete env[name];
    const args = [...nodeFlags, join(CHECKOUT_DIR, 'cli/bin.cjs'), 'import', 'eventbridge'];
    const own = { HOME: home, XDG_CONFIG_HOME: home, AWS_CONFIG_FILE: join(home, 'none'), NODE_OPTIONS: '' };
    execFile(process.execPath, args, { env: { ...env, ...own } }, (_error, _stdout, stderr) => done(stderr));
  });

const NO_REGION = 'quarterjack: no AWS region: use --region, or set AWS_REGION\n';

test('the AWS SDK does not ask users of the command line for another Node.js', async () => {
  expect(await stderrOfImport()).toBe(NO_REGION);
});

test('other warnings of Node.js are printed', async () => {
  const warns = join(home, 'warns.cjs');
  writeFileSync(warns, "process.emitWarning('the disk is old');\n");
  const stderr = await stderrOfImport(['--require', warns]);
  expect(stderr).toContain('Warning: the disk is old');
  expect(stderr).toContain(NO_REGION);
  expect(stderr).not.toContain('NodeVersionSupportWarning');
});
