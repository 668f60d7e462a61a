import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv/dist/2020';
import { parse } from 'yaml';

import { parseJobsFile } from '../../../cli/schedules-as-code/jobs-file';
import { jobsSchema } from '../../../scripts/jobs-schema';

const ROOT = join(__dirname, '../../..');
const stored = readFileSync(join(ROOT, 'schema/jobs.schema.json'), 'utf8');
const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
  JSON.parse(stored) as object,
);

const faultsOf = (value: unknown): string[] => {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Each file of jobs in a page: a block of YAML that has nothing else at its top. */
const blocksOf = (page: string): string[] =>
  [...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^```yaml\n([^]*?)^```/gm)]
    .map(([, text = '']) => text)
    .filter((text) => /^(?:jobs|calendars|notifications):/m.test(text) && !/^on:/m.test(text));

const EXAMPLES = readdirSync(join(ROOT, 'examples/jobs')).map((name) => join(ROOT, 'examples/jobs', name));
const BLOCKS = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) => blocksOf(page).map((text, index) => [`${page} ${index + 1}`, text] as const));

test('the stored schema is that of the API: npm run jobs:schema', () => {
  expect(stored).toBe(`${JSON.stringify(jobsSchema(), null, 1)}\n`);
});

test.each(EXAMPLES)('%s fits it, names it in its first line, and can be read', (path) => {
  const text = readFileSync(path, 'utf8');
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../../schema/jobs.schema.json');
  expect(faultsOf(parse(text))).toEqual([]);
  expect(
    parseJobsFile(text, path, (name) => (name === 'BASE_URL' ? 'https://shop.example' : undefined)),
  ).not.toEqual([]);
});

test('each file of jobs in the docs fits it', () => {
  expect(BLOCKS.length).toBeGreaterThanOrEqual(4);
  for (const [name, text] of BLOCKS) expect([name, faultsOf(parse(text))]).toEqual([name, []]);
});

const job = (fields: object) => ({
  jobs: { a: { schedule: 'every 5m', target: { type: 'http', url: 'https://t.test/' }, ...fields } },
});

test.each<[string, object]>([
  ['a field that no job has', job({ prioritty: 'high' })],
  ['a value that is not allowed', job({ priority: 'urgent' })],
  ['a number that is out of range', job({ retry: { maxAttempts: 0 } })],
  ['a text for a number', job({ retry: { maxAttempts: 'five' } })],
  ['an unknown type of target', job({ target: { type: 'ftp', url: 'ftp://t.test/' } })],
  ['an id that is none', { jobs: { 'a b': {} } }],
  ['a job in a list without its id', { jobs: [{ schedule: 'none' }] }],
  ['an unknown key at the top', { job: {} }],
  [
    'a calendar with a field of another kind',
    { calendars: { c: { timezone: 'UTC', weekdays: ['SATURDAY'] } } },
  ],
])('%s is a fault', (_name, file) => {
  expect(faultsOf(file)).not.toEqual([]);
});

test.each<[string, object]>([
  ['a variable in place of a number', job({ retry: { maxAttempts: '${ATTEMPTS:-5}' } })],
  ['a variable in place of a word', job({ priority: '${PRIORITY}' })],
  ['fields in the defaults alone', { defaults: job({}).jobs.a, jobs: { a: {} } }],
  ['keys that begin with x-', { ...job({}), 'x-hook': { any: 1 } }],
])('%s is none', (_name, file) => {
  expect(faultsOf(file)).toEqual([]);
});
