import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SDK_DIR = join(__dirname, '../../../sdk/python');
const CHECK = 'import sys; sys.exit(sys.version_info < (3, 10))';
const hasPython = spawnSync('python3', ['-c', CHECK]).status === 0;

/** Prints the files that Python 3.10 cannot read. */
const SYNTAX = `
import ast, pathlib
for path in sorted(pathlib.Path(".").glob("**/*.py")):
    ast.parse(path.read_text("utf-8"), str(path), feature_version=(3, 10))
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if len(line) > 110 and not path.name.endswith("_api.py") and path.name != "_models.py":
            print(f"{path}:{number}: {len(line)} columns")
`;

function python(...args: string[]) {
  const env = { PATH: process.env.PATH, PYTHONPATH: 'src:tests', PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stdout, stderr } = spawnSync('python3', args, { cwd: SDK_DIR, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** A checkout needs nothing but Node.js. The name of a test that is not run says so. */
const ifInstalled = hasPython ? test : test.skip;
const missing = hasPython ? '' : ' (not run: there is no python3 from 3.10 on)';

ifInstalled(`the files of the SDK are of Python 3.10${missing}`, () => {
  expect(python('-c', SYNTAX)).toEqual({ status: 0, stdout: '', stderr: '' });
});

ifInstalled(
  `the tests of what is its own pass${missing}`,
  () => {
    const { status, stderr } = python(
      '-W',
      'error::ResourceWarning',
      '-m',
      'unittest',
      'discover',
      '-s',
      'tests',
    );
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/\nOK\n$/) as string,
    });
  },
  120_000,
);
