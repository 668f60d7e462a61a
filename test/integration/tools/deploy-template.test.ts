import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import { PLACEHOLDERS, withParameters } from '../../../scripts/templates/parameters';

const ROOT = resolve(__dirname, '../../..');
const STUB = join(ROOT, 'test/fixtures/aws');
const OWNED = '--bucket code --expected-bucket-owner 111122223333';
const FIRST = ['own-pool', '--bucket', 'code', '--alarm-email', 'ops@example.com'];

/** A template that declares all parameters. */
const templateOf = (Description: string, ownIssuer: boolean): string => {
  const template = { Resources: {}, Outputs: { All: { Value: Object.values(PLACEHOLDERS) } } };
  return JSON.stringify({ ...withParameters(template, ownIssuer), Description });
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarterjack-deploy-'));
  mkdirSync(join(folder, 'assets'));
  const files = {
    'assets/aa.zip': 'code of a function',
    'assets/bb.zip': 'code of another',
    'own-pool.template.json': templateOf('x'.repeat(51_200), false),
    'own-issuer.template.json': templateOf('', true),
  };
  const sums = Object.entries(files).map(([path, content]) => {
    writeFileSync(join(folder, path), content);
    return `${createHash('sha256').update(content).digest('hex')}  ${path}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  copyFileSync(join(ROOT, 'scripts/templates/deploy-template.sh'), join(folder, 'deploy-template.sh'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Surroundings {
  /** The command of AWS that fails. */
  FAILS?: string;
  /** Its code; 404 if absent. */
  FAILS_WITH?: string;
  AWS_REGION?: string;
  PROFILE_REGION?: string;
}

/** Runs the script with the stand-in for the AWS command line: what it called, and how it ended. */
function deploy(args: string[], given: Surroundings = { AWS_REGION: 'eu-central-1' }) {
  const CALLS = join(folder, 'calls');
  const { AWS_REGION: _, AWS_DEFAULT_REGION: _default, ...inherited } = process.env;
  const env = { ...inherited, ...given, CALLS, PATH: `${STUB}${delimiter}${process.env.PATH}` };
  const script = join(folder, 'deploy-template.sh');
  const { status, stdout, stderr } = spawnSync('bash', [script, ...args], { env, encoding: 'utf8' });
  const calls = existsSync(CALLS) ? readFileSync(CALLS, 'utf8').trim().split('\n') : [];
  return { status, stdout, stderr, calls: calls.filter((call) => !call.startsWith('configure')) };
}

const upload = (zip: string, prefix = 'quarterjack/') =>
  `s3api put-object ${OWNED} --key ${prefix}${zip} --body assets/${zip} --checksum-algorithm SHA256`;
const deployment = (template: string, more: string) =>
  `cloudformation deploy --stack-name quarterjack --template-file ${template}.template.json ` +
  `--capabilities CAPABILITY_IAM --no-fail-on-empty-changeset ${more}`;

test('uploads the assets, deploys by S3 and prints the outputs', () => {
  const { status, stdout, calls } = deploy(FIRST);
  expect(calls).toEqual([
    'sts get-caller-identity --query Account --output text',
    `s3api head-bucket ${OWNED}`,
    upload('aa.zip'),
    upload('bb.zip'),
    deployment(
      'own-pool',
      '--s3-bucket code --s3-prefix quarterjack --parameter-overrides AssetsBucket=code AssetsPrefix=quarterjack/ AlarmEmail=ops@example.com',
    ),
    expect.stringMatching(/^cloudformation describe-stacks --stack-name quarterjack /),
  ]);
  expect(stdout).toContain('account 111122223333, region eu-central-1');
  expect(stdout).toMatch(/the template has \d{5} bytes, above 51200: it goes by S3/);
  expect(stdout).toContain('ApiUrl https://api.example.com');
  expect(status).toBe(0);
});

test('all flags become parameters, and a short template goes without S3', () => {
  const { calls } = deploy([
    ...['own-issuer', '--bucket', 'code', '--prefix', 'jobs/v2/', '--issuer', 'https://login.example.com/'],
    ...['--audience', 'jobs', '--function-prefix', 'acme-', '--log-retention-days', '30'],
  ]);
  expect(calls).toContain(upload('aa.zip', 'jobs/v2/'));
  expect(calls).toContain(
    deployment(
      'own-issuer',
      '--parameter-overrides AssetsBucket=code AssetsPrefix=jobs/v2/ Issuer=https://login.example.com/ Audience=jobs AllowedFunctionPrefix=acme- LogRetentionDays=30',
    ),
  );
});

test('a change set to review is not executed, and there are no outputs', () => {
  const { status, calls } = deploy([...FIRST, '--review']);
  expect(calls.at(-1)).toContain(' --no-execute-changeset --parameter-overrides ');
  expect(status).toBe(0);
});

describe('a bucket that the account does not have', () => {
  const MISSING = 'head-bucket';

  test('is an error that names the flag', () => {
    const { status, stderr, calls } = deploy(FIRST, { AWS_REGION: 'eu-central-1', FAILS: MISSING });
    expect(stderr).toBe('deploy-template: you have no bucket code; make it with --create-bucket\n');
    expect(calls.at(-1)).toBe(`s3api head-bucket ${OWNED}`);
    expect(status).toBe(1);
  });

  test('is not made if it is that of another account', () => {
    const given = { AWS_REGION: 'eu-central-1', FAILS: MISSING, FAILS_WITH: '403' };
    const { status, stderr, calls } = deploy([...FIRST, '--create-bucket'], given);
    expect(stderr).toContain(
      'code is not one of account 111122223333 in eu-central-1: An error occurred (403)',
    );
    expect(calls.at(-1)).toBe(`s3api head-bucket ${OWNED}`);
    expect(status).toBe(1);
  });

  test.each([
    ['eu-central-1', ' --create-bucket-configuration LocationConstraint=eu-central-1'],
    ['us-east-1', ''],
  ])('is made in %s, if asked', (AWS_REGION, place) => {
    const { status, calls } = deploy([...FIRST, '--create-bucket'], { AWS_REGION, FAILS: MISSING });
    expect(calls[2]).toBe(`s3api create-bucket --bucket code${place}`);
    expect(status).toBe(0);
  });
});

test.each(['get-caller-identity', 'put-object'])('nothing is deployed after %s fails', (FAILS) => {
  const { status, stderr, calls } = deploy(FIRST, { AWS_REGION: 'eu-central-1', FAILS });
  expect(stderr).toContain(`An error occurred (404) when calling ${FAILS}`);
  expect(stderr).toContain('deploy-template: stopped, because a command of AWS failed');
  expect(calls.at(-1)).toContain(FAILS);
  expect(calls.some((call) => call.includes('cloudformation'))).toBe(false);
  expect(status).toBe(1);
});

test('a failed deployment shows the events that say why', () => {
  const { status, stderr, calls } = deploy(FIRST, { AWS_REGION: 'eu-central-1', FAILS: 'deploy' });
  expect(calls.at(-1)).toMatch(/^cloudformation describe-stack-events --stack-name quarterjack /);
  expect(stderr).toContain('JobsTable is too large');
  expect(status).toBe(1);
});

test('changed files are not uploaded', () => {
  writeFileSync(join(folder, 'assets/bb.zip'), 'code of an attacker');
  const { status, stderr, calls } = deploy(FIRST);
  expect(stderr).toContain('files of this folder are not those of SHA256SUMS');
  expect(calls).toEqual([]);
  expect(status).toBe(3);
});

test.each(['own-pool.template.json', `assets/${'a'.repeat(64)}.zip`])('%s needs a sum', (file) => {
  writeFileSync(join(folder, 'own-pool.template.json'), `"${'a'.repeat(64)}.zip"`);
  const text = readFileSync(join(folder, 'own-pool.template.json'));
  const sum = `${createHash('sha256').update(text).digest('hex')}  own-pool.template.json\n`;
  const manifest = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  const others = manifest.replace(/^.*own-pool.*\n/m, '');
  writeFileSync(join(folder, 'SHA256SUMS'), file.startsWith('assets/') ? others + sum : others);
  const { status, stderr, calls } = deploy(FIRST);
  expect(stderr).toBe(`deploy-template: SHA256SUMS has no sum of ${file}\n`);
  expect(calls).toEqual([]);
  expect(status).toBe(3);
});

test('a file that the manifest does not have is not uploaded', () => {
  writeFileSync(join(folder, 'assets/cc.zip'), 'code of an attacker');
  expect(deploy(FIRST).calls.some((call) => call.includes('cc.zip'))).toBe(false);
});

test('the region may be that of the profile', () => {
  expect(deploy(FIRST, { PROFILE_REGION: 'eu-north-1' }).stdout).toContain('region eu-north-1');
  const { status, stderr } = deploy(FIRST, {});
  expect(stderr).toContain('there is no region; set AWS_REGION');
  expect(status).toBe(2);
});

test('a value may follow its flag after "="', () => {
  const { status, calls } = deploy([
    'own-pool',
    '--bucket=code',
    '--alarm-email=a=b@example.com',
    '--review',
  ]);
  expect(calls.find((call) => call.startsWith('cloudformation deploy'))).toContain(
    ' AssetsBucket=code AssetsPrefix=quarterjack/ AlarmEmail=a=b@example.com',
  );
  expect(status).toBe(0);
});

test.each([['-h'], ['--help'], ['own-pool', '-h']])('%s prints the help', (...args) => {
  const { status, stdout, calls } = deploy(args);
  expect(stdout).toMatch(/^Usage: deploy-template\.sh own-pool\|own-issuer --bucket NAME/);
  expect([status, calls]).toEqual([0, []]);
});

describe('values that the template does not allow', () => {
  const BUCKET = 'expected the name of a bucket';
  const MAIL = 'expected an address of mail, 0 to 254 characters (parameter AlarmEmail)';
  const PREFIX =
    'expected letters, digits, _ and -, not beginning with qua, as the functions of the stack do, ' +
    '3 to 40 characters (parameter AllowedFunctionPrefix)';
  const DAYS = 'expected one of 1, 3, 5, 7, 14, 30, 60, 90, 180, 365, 731 (parameter LogRetentionDays)';

  test.each<[flag: string, value: string, expected: string]>([
    ['--bucket', 'Code', BUCKET],
    ['--bucket', '-code', BUCKET],
    ['--bucket', 'x'.repeat(64), BUCKET],
    ['--prefix', 'a b/', 'expected up to 8 names'],
    ['--prefix', 'a/'.repeat(9), 'expected up to 8 names'],
    ['--prefix', `${'a'.repeat(200)}/`, '0 to 200 characters (parameter AssetsPrefix)'],
    ['--alarm-email', 'ops', MAIL],
    ['--alarm-email', 'ops@example', MAIL],
    ['--alarm-email', 'two ops@example.com', MAIL],
    ['--alarm-email', `${'x'.repeat(250)}@a.example`, MAIL],
    ...['ab', 'a b-', 'jobs-*', 'x'.repeat(41), 'qua', 'quarter', 'quarterjack', 'quarterjack-x'].map(
      (value) => ['--function-prefix', value, PREFIX] as [string, string, string],
    ),
    ['--log-retention-days', '15', DAYS],
    ['--log-retention-days', '1|3', DAYS],
    ['--issuer', 'http://login.example.com', 'expected an https URL without a query'],
    ['--audience', 'a b', 'expected letters, digits and ._~:/@+-'],
  ])('%s %s is refused before any call', (flag, value, expected) => {
    const { status, stderr, calls } = deploy(['own-issuer', '--bucket=code', flag, value]);
    expect(stderr).toContain(`deploy-template: ${flag} is "${value}"; `);
    expect(stderr).toContain(expected);
    expect(calls).toEqual([]);
    expect(status).toBe(2);
  });

  test.each([
    ...['jobs-', 'quo', 'queue-', 'q-a', 'QUA', 'x'.repeat(40)].map((value) => ['--function-prefix', value]),
    ['--log-retention-days', '731'],
    ['--prefix', 'a/'.repeat(8)],
    ['--audience', 'api://jobs+a@b'],
  ])('%s %s is not', (...given) => {
    expect(deploy(['own-issuer', '--bucket', 'code', ...given])).toMatchObject({ status: 0, stderr: '' });
  });

  test('a template without such a parameter is not one of ours', () => {
    const content = '{"Issuer":{"Ref":"Issuer"}}';
    writeFileSync(join(folder, 'own-pool.template.json'), content);
    const sum = createHash('sha256').update(content).digest('hex');
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    writeFileSync(join(folder, 'SHA256SUMS'), sums.replace(/^.*( {2}own-pool)/m, `${sum}$1`));
    const { status, stderr } = deploy(FIRST);
    expect(stderr).toBe('deploy-template: own-pool.template.json has no parameter AssetsBucket\n');
    expect(status).toBe(3);
  });
});

test.each<[string[], string]>([
  [[], 'the template is ""; expected own-pool or own-issuer'],
  [['--bucket', 'code'], 'the template is "--bucket"; expected own-pool or own-issuer'],
  [['own-pool'], '--bucket is missing; expected the name of a bucket'],
  [['own-pool', '--bucket'], '--bucket has no value; see --help'],
  [['own-pool', '--bucket', '--create-bucket'], '--bucket has no value; see --help'],
  [
    ['own-pool', '--bucket', 'code', '--function-prefix', '--review'],
    '--function-prefix has no value; see --help',
  ],
  [['own-pool', '--bucket', 'code', '--stack', 'x'], '--stack is not known; see --help'],
  [['own-pool', '--bukket'], '--bukket is not known; see --help'],
  [
    ['own-pool', '--bucket', 'code', '--issuer', 'x'],
    '--issuer is a flag of own-issuer; the template is own-pool',
  ],
  [
    ['own-pool', '--bucket', 'code', '--prefix', 'x'],
    '--prefix is "x"; expected up to 8 names of letters, digits and _.- that each end with a slash, ' +
      '0 to 200 characters (parameter AssetsPrefix)',
  ],
])('%j is an error', (args, message) => {
  const { status, stderr, calls } = deploy(args);
  expect(stderr).toBe(`deploy-template: ${message}\n`);
  expect(calls).toEqual([]);
  expect(status).toBe(2);
});
