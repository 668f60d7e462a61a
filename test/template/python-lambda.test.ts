import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { App } from 'aws-cdk-lib';

import { Reports } from '../../examples/python-lambda/stack';
import { ofType, QUICK, resourcesIn, stubBundles } from './synth';

// Users install the construct; a checkout has it in lib.
jest.mock('@quarterjack/cdk', () => jest.requireActual<object>('../../lib'), { virtual: true });

const CHECKOUT_DIR = resolve(__dirname, '../..');
const EXAMPLE_DIR = join(CHECKOUT_DIR, 'examples/python-lambda');
const ISOLATED = ['-I', '-B', '-c'];

/** A checkout needs nothing but Node.js. The name of a test that is not run says so. */
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
const ifPython = hasPython ? test : test.skip;
const missing = hasPython ? '' : ' (not run: there is no python3 from 3.10 on)';

/** The code of the function: what the README of the example puts there. */
let codeDir: string;
beforeAll(() => {
  codeDir = mkdtempSync(join(tmpdir(), 'quarterjack-python-lambda-'));
  copyFileSync(join(EXAMPLE_DIR, 'jobs.py'), join(codeDir, 'jobs.py'));
  cpSync(join(CHECKOUT_DIR, 'sdk/python/src/quarterjack'), join(codeDir, 'quarterjack'), {
    recursive: true,
    filter: (path) => !path.endsWith('__pycache__'),
  });
});
afterAll(() => rmSync(codeDir, { recursive: true }));

test('the stack has a function in Python, and a job for each one in code', () => {
  const app = new App(QUICK);
  const stack = new Reports(app, 'Shop', { codeDir, bundlesDir: stubBundles() });
  const resources = resourcesIn({ app, stack });
  const [[id, reports] = []] = ofType(resources, 'AWS::Lambda::Function').filter(
    ([, { Properties }]) => Properties.Runtime === 'python3.13',
  );
  expect(reports!.Properties).toMatchObject({ Handler: 'jobs.served.lambda_handler', Timeout: 660 });
  const jobs = ofType(resources, 'Custom::QuarterjackJob').map(([, job]) => job);
  expect(jobs.map(({ Properties }) => String(Properties.JobId)).toSorted()).toEqual([
    'nightly-report',
    'remind',
  ]);
  const texts = jobs.map(({ Properties }) => JSON.stringify(Properties.Definition));
  for (const text of texts) expect(text).toContain(id);
  const nightly = texts.find((text) => text.includes('30 2 * * MON-FRI'));
  expect(nightly).toContain('payloadSchema');
});

ifPython(`the manifest is that of the jobs; if not, run what its README says${missing}`, () => {
  const { stdout, stderr } = spawnSync('python3', ['-m', 'quarterjack', 'define', 'jobs.py'], {
    cwd: codeDir,
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' },
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({
    stdout: readFileSync(join(EXAMPLE_DIR, 'jobs.manifest.json'), 'utf8'),
    stderr: '',
  });
});

/** Calls the handler as the runtime of Lambda does, and prints what it returns, or the name of its error. */
const INVOKE = `
import json, sys
sys.path.insert(0, sys.argv[1])
from jobs import served
class Client: custom = {"quarterjack-" + name: text for name, text in json.loads(sys.argv[3]).items()}
class Context:
    client_context = Client()
    def get_remaining_time_in_millis(self): return 660000
try: print(json.dumps(served.lambda_handler(json.loads(sys.argv[2]), Context())))
except Exception as error: print(type(error).__name__)
`;

ifPython(`the handler runs the job that a delivery names${missing}`, () => {
  const invoke = (event: object, job = 'nightly-report'): string => {
    const ids = { job, execution: 'e', attempt: '1', fence: '1', due: '2026-12-01T08:30:00.000Z' };
    const args = [...ISOLATED, INVOKE, codeDir, JSON.stringify(event), JSON.stringify(ids)];
    const { stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
    return stdout.trim().split('\n').at(-1) ?? stderr;
  };
  expect(invoke({ region: 'us', pages: 2 })).toBe('{"pages": 2}');
  expect(invoke({ pages: 0 })).toBe('QuarterjackFatalError');
  expect(invoke({ pages: 'two' })).toBe('QuarterjackFatalError:bad-payload');
  expect(invoke({}, 'remind')).toBe('KeyError');
  expect(invoke({}, 'gone')).toBe('QuarterjackRetryAfter:60:unknown-job');
});
