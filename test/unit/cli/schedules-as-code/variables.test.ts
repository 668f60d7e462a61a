import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { LineCounter, parseDocument } from 'yaml';

import { literal, readEnvFile, substitute, variablesOf } from '../../../../cli/schedules-as-code/variables';
import { Session } from '../terminal-session';

const VALUES: Record<string, string> = {
  NAME: 'billing',
  URL: 'https://example.com',
  EMPTY: '',
  FIVE: '5',
  YES: 'true',
  VERSION: '1.10',
  ZIP: '01069',
  LONG: '12345678901234567890',
  YAML: 'x, y: [&a *a] # no comment\n- "z"',
};

/** What a document means once its variables are replaced, and what is wrong with it. */
function read(text: string): { value: unknown; problems: string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const variables = (name: string) => VALUES[name];
  const problems = substitute(document, { lines, path: 'f', variables });
  return { value: document.toJS() as unknown, problems };
}

test.each<[string, unknown]>([
  ['a: "${URL}/report"', 'https://example.com/report'],
  ['a: ${URL}/${NAME}', 'https://example.com/billing'],
  ['a: ${MISSING:-fallback}', 'fallback'],
  ['a: ${EMPTY:-fallback}', 'fallback'],
  ['a: "[${EMPTY}]"', '[]'],
  ['a: $${NAME}', '${NAME}'],
  ['a: $$${NAME}', '$${NAME}'],
  ['a: costs $5, {{ secrets.NAME }}', 'costs $5, {{ secrets.NAME }}'],
  ['a: |\n  one ${NAME}\n  two\n', 'one billing\ntwo\n'],
])('%j is replaced', (text, expected) => {
  expect(read(text)).toEqual({ value: { a: expected }, problems: [] });
});

test.each<[string, unknown]>([
  ['a: ${FIVE}', 5],
  ['a: ${MISSING:-2.5}', 2.5],
  ['a: ${YES}', true],
  ['a: "${FIVE}"', '5'],
  ['a: ${FIVE}s', '5s'],
  ['a: ${EMPTY}', ''],
  ['a: ${ZIP}', '01069'],
  ['a: ${LONG}', '12345678901234567890'],
  ['a: ${MISSING:-null}', 'null'],
  ['a: ${VERSION}', 1.1],
  ['a: "${VERSION}"', '1.10'],
])('%j has the type of a whole, unquoted value only', (text, expected) => {
  expect(read(text).value).toEqual({ a: expected });
});

test('a value stays one value, whatever YAML it contains, and keys are left alone', () => {
  expect(read('a: ${YAML}\n${NAME}: [b, "${YAML}"]').value).toEqual({
    a: VALUES.YAML,
    '${NAME}': ['b', VALUES.YAML],
  });
});

test('an anchor is replaced once, and its aliases have the value', () => {
  expect(read('x-a: &a "$${NAME}"\nb: *a').value).toEqual({ 'x-a': '${NAME}', b: '${NAME}' });
});

test('each mistake is named with its line', () => {
  expect(read('a: 1\nb: ${NONE}\nc: ["${also-none}", "${"]').problems).toEqual([
    'f:2: the variable NONE is not set; set it with --var NONE=value or --env-file, pass it from the environment with --env NONE, or write ${NONE:-default}',
    'f:3: "${also-none}" is not a variable; expected ${NAME} or ${NAME:-default}, and $${ for a literal ${',
    'f:3: "${" is not a variable; expected ${NAME} or ${NAME:-default}, and $${ for a literal ${',
  ]);
});

test('an literal text is read as it was', () => {
  const text = 'echo ${HOME} $${X} $$';
  expect(read(`a: ${JSON.stringify(literal(text))}`)).toEqual({ value: { a: text }, problems: [] });
});

test('a file of variables has comments, export and quotes', () => {
  const text = '# comment\n\nexport A=1\nB = no\n';
  expect(() => readEnvFile(text, 'prod.env')).toThrow('prod.env:4: expected NAME=value');
  expect(readEnvFile('export A=1\r\nB="x y"\nC=\'a"b\'\nD=a=b # c\nE=\n', 'f')).toEqual([
    ['A', '1'],
    ['B', 'x y'],
    ['C', 'a"b'],
    ['D', 'a=b # c'],
    ['E', ''],
  ]);
});

test('--var is stronger than the last --env-file, and what --env names is the weakest', () => {
  const session = new Session();
  const file = (name: string, text: string) => {
    writeFileSync(join(session.home, name), text);
    return join(session.home, name);
  };
  const envFile = [file('one.env', 'A=one\nB=one\nC=one'), file('two.env', 'A=two\nB=two')];
  const env = { A: 'env', D: 'env', F: 'not passed', QUARTERJACK_TOKEN: 'secret' };
  const flags = { var: ['A=flag', 'A=last=one'], envFile, env: ['A', 'D', 'E', 'toString'] };
  const { variables } = variablesOf(flags, env);
  expect(['A', 'B', 'C', 'D', 'E', 'F', 'QUARTERJACK_TOKEN', 'toString'].map(variables)).toEqual([
    'last=one',
    'two',
    'one',
    'env',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  for (const name of ['QUARTERJACK_TOKEN', 'A=b', ''])
    expect(() => variablesOf({ env: [name] }, env)).toThrow(
      `--env is ${JSON.stringify(name)}; expected the NAME`,
    );
  expect(() => variablesOf({ var: ['A'] }, {})).toThrow('--var is "A"; expected NAME=value');
  session.end();
});
