import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { modelFiles } from '../../../scripts/sdk-models/files';
import { goModels } from '../../../scripts/sdk-models/go';
import { pythonModels } from '../../../scripts/sdk-models/python';
import { modelsOf } from '../../../scripts/sdk-models/read-document';

const CHECKOUT_DIR = join(__dirname, '../../..');
const hasGo = spawnSync('gofmt', ['-h']).error === undefined;

test.each(Object.entries(modelFiles()))('%s is current; if not, run `npm run sdk:models`', (path, text) => {
  expect(readFileSync(join(CHECKOUT_DIR, path), 'utf8') === text).toBe(true);
});

// A checkout needs nothing but Node.js.
if (hasGo)
  test('gofmt has nothing to change in the models of Go', () => {
    expect(String(spawnSync('gofmt', ['-l', join(CHECKOUT_DIR, 'sdk/go/models.go')]).stdout)).toBe('');
  });

const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const documentOf = (schemas: object) => ({ paths: {}, components: { schemas } }) as never;
const both = (schemas: object) => {
  const models = modelsOf(documentOf(schemas));
  return { python: pythonModels(models), go: goModels(models) };
};

test('an object within an object gets a name, and null is told from absent', () => {
  const result = object({ code: { type: 'integer' } }, ['code']);
  const run = object({ result: { anyOf: [result, { type: 'null' }] }, tries: { type: 'integer' } }, [
    'result',
  ]);
  const { python, go } = both({ Run: run });
  expect(python).toContain('class RunResult(TypedDict):\n    code: int\n');
  expect(python).toContain('class _RunRequired(TypedDict):\n    result: Optional[RunResult]\n');
  expect(python).toContain('class Run(_RunRequired, total=False):\n    tries: int\n');
  expect(go).toContain('Result *RunResult `json:"result"`');
  expect(go).toMatch(/Tries +\*int +`json:"tries,omitempty"`/);
});

test('objects that their type tells apart are a union; in Go, one struct with the fields of all', () => {
  const kind = (type: string, field: string) =>
    object({ type: { type: 'string', const: type }, [field]: { type: 'string' } }, ['type', field]);
  const { python, go } = both({
    When: { anyOf: [{ type: 'string' }, { oneOf: [kind('cron', 'expression'), kind('at', 'at')] }] },
  });
  expect(python).toContain('When = Union["CronWhen", "AtWhen", str]');
  expect(go).toContain('// One of: cron, at.\n\tType string `json:"type"`');
  expect(go).toContain('// Only of cron.\n\tExpression string `json:"expression,omitempty"`');
  expect(go).not.toContain('type CronWhen');
});

test('fields that are words of Python', () => {
  const { python } = both({ Range: object({ from: { type: 'string' }, in: { type: 'string' } }, ['from']) });
  expect(python).toContain('        "from": str,');
  expect(python).toContain('class Range(_RangeWords, _RangeRequiredWords):\n    pass');
});

test('a schema that no model can say is an error', () => {
  expect(() => both({ Odd: object({ file: { type: 'file' } }) })).toThrow('OddFile is of type file');
  const twice = { A: object({ b: object({ c: { type: 'string' } }) }), AB: { type: 'string' } };
  expect(() => both(twice)).not.toThrow(); // the one within is renamed
});
