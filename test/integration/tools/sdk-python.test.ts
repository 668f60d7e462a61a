import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const SDK_DIR = join(CHECKOUT_DIR, 'sdk/python');
const WHEEL = 'quarterjack-0.1.0-py3-none-any.whl';
const TIMEOUT_MS = 180_000;

let dir: string;
beforeAll(() => (dir = mkdtempSync(join(tmpdir(), 'quarterjack-python-'))));
afterAll(() => rmSync(dir, { recursive: true }));

/** Runs a program in the folder of the SDK. Throws with what it said, if it fails. */
function run(command: string, args: readonly string[], more: object = {}): string {
  const env = { PATH: process.env.PATH, HOME: dir, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1', ...more };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: SDK_DIR, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout + stderr;
}

/** A checkout needs nothing but Node.js. The name of a test that is not run says so. */
const has = (code: string) => spawnSync('python3', ['-c', code]).status === 0;
const hasPython = has('import sys; sys.exit(sys.version_info < (3, 10))');
const hasVenv = hasPython && has('import venv, ensurepip');
const ifPython = hasPython ? test : test.skip;
const ifVenv = hasVenv ? test : test.skip;
const missing = hasPython ? '' : ' (not run: there is no python3 from 3.10 on)';
const missingVenv = hasVenv ? '' : ' (not run: there is no python3 from 3.10 on with venv)';

/** Prints the files that Python 3.10 cannot read, and lines that are too long. */
const SYNTAX = `
import ast, pathlib
made = ("_api.py", "_async_api.py", "_models.py")
for path in sorted(pathlib.Path(".").glob("**/*.py")):
    ast.parse(path.read_text("utf-8"), str(path), feature_version=(3, 10))
    lines = [] if path.name in made else path.read_text("utf-8").splitlines()
    if len(lines) > 300 and path.parent.name != "tests":
        print(f"{path}: {len(lines)} lines")
    for number, line in enumerate(lines, 1):
        if len(line) > 110:
            print(f"{path}:{number}: {len(line)} columns")
`;

ifPython(`the files of the SDK are of Python 3.10${missing}`, () => {
  expect(run('python3', ['-c', SYNTAX])).toBe('');
});

ifPython(
  `the tests of what is its own pass${missing}`,
  () => {
    const args = ['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-s', 'tests'];
    expect(run('python3', args, { PYTHONPATH: 'src:tests' })).toMatch(/\nOK\n$/);
  },
  TIMEOUT_MS,
);

ifPython(`its version is that of the other packages, and pydoc shows its words${missing}`, () => {
  const { version } = JSON.parse(readFileSync(join(CHECKOUT_DIR, 'package.json'), 'utf8')) as {
    version: string;
  };
  const code = 'import quarterjack; print(quarterjack.__version__)';
  expect(run('python3', ['-c', code], { PYTHONPATH: 'src' }).trim()).toBe(version);
  const shown = run('python3', ['-m', 'pydoc', 'quarterjack.Worker'], { PYTHONPATH: 'src' });
  expect(shown).toContain('Claims executions of work queues, runs a handler for each');
  expect(shown).toContain('Work until ``drain`` or ``stop``');
});

ifVenv(
  `the wheel and the sdist install without an index, and pass the tests${missingVenv}`,
  () => {
    const hashes = ['one', 'two'].map((name) => {
      run('python3', ['build_dist.py', '--out', join(dir, name)]);
      return [WHEEL, 'quarterjack-0.1.0.tar.gz'].map((file) =>
        createHash('sha256')
          .update(readFileSync(join(dir, name, file)))
          .digest('hex'),
      );
    });
    expect(hashes[0]).toEqual(hashes[1]);
    run('python3', ['-m', 'venv', join(dir, 'venv')]);
    const python = join(dir, 'venv/bin/python');
    const install = ['-m', 'pip', 'install', '-q', '--no-index', '--no-cache-dir', '--force-reinstall'];
    for (const file of ['quarterjack-0.1.0.tar.gz', WHEEL])
      run(python, [...install, join(dir, 'one', file)], { PIP_CONFIG_FILE: '/dev/null' });
    const code = `import base64, hashlib, importlib.metadata as m
for path in m.distribution("quarterjack").files:
    if path.hash:
        own = base64.urlsafe_b64encode(hashlib.sha256(path.read_binary()).digest()).rstrip(b"=").decode()
        assert path.hash.value == own, path
print(m.version("quarterjack"), m.metadata("quarterjack")["License"])`;
    expect(run(python, ['-c', code]).trim()).toBe('0.1.0 Apache-2.0');
    const args = ['-m', 'unittest', 'discover', '-s', 'tests', '-p', 'test_deliveries.py'];
    expect(run(python, args, { PYTHONPATH: 'tests' })).toMatch(/\nOK\n$/);
  },
  TIMEOUT_MS,
);
