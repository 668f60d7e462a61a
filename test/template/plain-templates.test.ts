import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App, CloudFormationValidatePlugin } from 'aws-cdk-lib';

import { type PlainTemplate, withParameters } from '../../scripts/templates/parameters';
import { SUMS } from '../../scripts/sums';
import { SCRIPT, TEMPLATES, writeTemplates } from '../../scripts/templates/write-templates';
import { stubBundles } from './synth';

const FILES = Object.values(TEMPLATES);
const PSEUDO = ['AWS::AccountId', 'AWS::NoValue', 'AWS::Partition', 'AWS::Region', 'AWS::StackId'];
const COMMON = ['AssetsBucket', 'AssetsPrefix', 'AlarmEmail', 'AllowedFunctionPrefix', 'LogRetentionDays'];

let out: string;
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'quarterjack-templates-'));
  writeTemplates({ out, stage: 'dev', bundlesDir: stubBundles() });
});
afterAll(() => rmSync(out, { recursive: true }));

const textOf = (file: string): string => readFileSync(join(out, file), 'utf8');
const templateOf = (file: string) => JSON.parse(textOf(file)) as Required<PlainTemplate>;

/** All values below `value`, itself included. */
const valuesIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(valuesIn)] : [value];

/** What `Ref` and `Fn::GetAtt` name. */
const namesIn = (template: object): string[] =>
  valuesIn(template).flatMap((value) => {
    const { Ref, 'Fn::GetAtt': attribute } = (value ?? {}) as { Ref?: string; 'Fn::GetAtt'?: [string] };
    return Ref ?? attribute?.[0] ?? [];
  });

const schemas = new CloudFormationValidatePlugin();
const ANYWHERE = { accountId: undefined, region: undefined };

/** Findings of the schemas of CloudFormation, as the CDK checks a template. */
function findingsIn(path: string): string[] {
  const { violations } = schemas.validate({
    templatePaths: [path],
    stackTemplates: [{ templatePath: path, stackConstructPath: 'quarterjack', ...ANYWHERE }],
    appConstruct: new App(),
  });
  return violations.map(({ ruleName, description }) => `${ruleName}: ${description}`);
}

describe.each(FILES)('%s', (file) => {
  test('has exactly its parameters, each described, and no text in their places', () => {
    const own = file === TEMPLATES['own-issuer'] ? ['Issuer', 'Audience'] : [];
    const { Parameters } = templateOf(file);
    expect(Object.keys(Parameters).toSorted()).toEqual([...COMMON, ...own].toSorted());
    for (const { Description } of Object.values(Parameters)) expect(Description).toMatch(/^\S.{10,}/);
    const texts = valuesIn(templateOf(file)).filter((value) => typeof value === 'string');
    expect(texts.filter((text) => text.includes('placeholder') || text.includes('-of-the-'))).toEqual([]);
  });

  test('refers to its own parameters and resources alone', () => {
    const template = templateOf(file);
    const known = [...Object.keys(template.Parameters), ...Object.keys(template.Resources), ...PSEUDO];
    expect(namesIn(template).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('needs no bootstrap, and nothing of the CDK', () => {
    expect(Object.keys(templateOf(file)).toSorted()).toEqual([
      ...['Description', 'Outputs', 'Parameters', 'Resources'],
    ]);
    expect(textOf(file)).not.toMatch(/cdk|bootstrap|Custom::|AWS::CDK/i);
  });

  test('passes the schemas of CloudFormation', () => {
    expect(findingsIn(join(out, file))).toEqual([]);
  });

  test('takes code from the bucket and the prefix of its parameters', () => {
    const codes = Object.values(templateOf(file).Resources).flatMap(({ Type, Properties }) => {
      if (Type === 'AWS::Lambda::Function') return [Properties?.Code];
      return Type === 'AWS::Lambda::LayerVersion' ? [Properties?.Content] : [];
    });
    const zips = readdirSync(join(out, 'assets'));
    expect(codes.length).toBeGreaterThan(9);
    for (const code of codes) {
      const key = JSON.stringify(code).match(/[0-9a-f]{64}\.zip/)?.[0];
      expect(zips).toContain(key);
      expect(code).toEqual({
        S3Bucket: { Ref: 'AssetsBucket' },
        S3Key: { 'Fn::Join': ['', [{ Ref: 'AssetsPrefix' }, key]] },
      });
    }
  });
});

test('the templates of the stage small have fewer than 75 resources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-small-'));
  try {
    writeTemplates({ out: folder, stage: 'small', bundlesDir: stubBundles() });
    const sizes = FILES.map((file) => {
      const { Resources } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as PlainTemplate;
      return Object.keys(Resources).length;
    });
    expect(Math.max(...sizes)).toBeLessThan(75);
    expect(Math.min(...sizes)).toBeGreaterThan(50);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the check of schemas does report violations', () => {
  const template = templateOf(FILES[0]!);
  template.Resources.Bad = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 999_999 } };
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-bad-'));
  try {
    const path = join(folder, 'bad.template.json');
    writeFileSync(path, JSON.stringify(template));
    expect(findingsIn(path)).toEqual([expect.stringContaining('F3034')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the manifest is of all templates and assets, and a second call writes the same', () => {
  const files = [...FILES, ...readdirSync(join(out, 'assets')).map((zip) => `assets/${zip}`)];
  const before = textOf(SUMS);
  const listed = before.trim().split('\n');
  expect(listed.map((line) => line.split('  ')[1]!).toSorted()).toEqual(files.toSorted());
  writeTemplates({ out, stage: 'dev', bundlesDir: stubBundles() });
  expect(textOf(SUMS)).toBe(before);
  execFileSync('sha256sum', ['-c', SUMS], { cwd: out, stdio: 'pipe' });
  expect(readdirSync(out).toSorted()).toEqual([...FILES, 'assets', SUMS, SCRIPT].toSorted());
});

test('a folder with other files is left alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-other-'));
  writeFileSync(join(folder, 'thesis.txt'), 'mine');
  try {
    expect(() => writeTemplates({ out: folder, stage: 'dev', bundlesDir: stubBundles() })).toThrow(
      `--out is ${folder}, which has thesis.txt; expected an empty folder`,
    );
    expect(readdirSync(folder)).toEqual(['thesis.txt']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a parameter that nothing refers to is an error', () => {
  expect(() => withParameters({ Resources: {} }, false)).toThrow(
    'the template does not use the parameters AssetsBucket, AssetsPrefix, AlarmEmail, AllowedFunctionPrefix',
  );
});
