import { parseTemplate, secretNamesIn } from '../../../../lambdas/core/templates/parse';

const path = (root: string, ...steps: (string | number)[]) => ({ kind: 'path', root, steps });
const literal = (value: unknown) => ({ kind: 'literal', value });

it('splits a text into literals, expressions and secrets', () => {
  expect(parseTemplate("a {{ run.id | upper }}}} {{{{x}} {{secrets['crm key']}}")).toEqual([
    'a ',
    {
      kind: 'expression',
      text: 'run.id | upper',
      path: path('run', 'id'),
      filters: [{ name: 'upper', args: [] }],
    },
    '}} {{x}} ',
    { kind: 'secret', text: "secrets['crm key']", name: 'crm key' },
  ]);
});

it('reads steps and arguments of every kind', () => {
  const text = "{{ item['it''s'][-2].a-b | f( 'x }} y' , -1.5,true,null, run.day ) |g }}";
  expect(parseTemplate(text)).toMatchObject([
    {
      path: path('item', "it's", -2, 'a-b'),
      filters: [
        {
          name: 'f',
          args: [literal('x }} y'), literal(-1.5), literal(true), literal(null), path('run', 'day')],
        },
        { name: 'g', args: [] },
      ],
    },
  ]);
});

it.each([
  ['{{ }}', '{{  }}: expected a name such as "run" at the beginning, where it ends'],
  ['{{ run.id', '"{{ run.id" has no "}}"; a literal "{{" is written "{{{{"'],
  ["{{ run.id | f('x }}", 'has a text whose quote does not end'],
  ['{{ run..id }}', 'expected a name after "run.", not ".id"'],
  ['{{ run.id extra }}', 'expected "|" or "}}" after "run.id", not "extra"'],
  ['{{ run[1.5] }}', '[1.5] is no index: it must be a whole number'],
  ['{{ run[x] }}', "expected a whole number or a text in '…'"],
  ['{{ run.id | }}', 'expected the name of a filter'],
  ['{{ run.id | f( }}', "expected a text in '…', a number or a path"],
  ["{{ 'text' }}", 'expected a name such as "run"'],
  ['{{ true }}', '"true" is no root'],
  ['{{{ run.id }}}', 'expected a name such as "run" at the beginning, not "{ run.id"'],
  ['{{ secrets.crm | upper }}', 'no filter may follow a secret'],
  ['{{ secrets }}', 'a secret is named in one step'],
  ['{{ secrets.a.b }}', 'a secret is named in one step'],
  ['{{ run.id | default(secrets.crm) }}', 'a secret cannot be an argument'],
])('%s is an error that names the expression', (text, message) => {
  expect(() => parseTemplate(text)).toThrow(message);
});

describe('limits', () => {
  const filters = (count: number) => `{{ run.id${' | trim'.repeat(count)} }}`;
  const steps = (count: number) => `{{ run${'.a'.repeat(count - 2)} | default(run.a.b) }}`;
  const padded = (length: number) => `{{${'run.id'.padEnd(length)}}}`;

  it.each([
    ['8 filters', filters(8)],
    ['32 steps in all paths', steps(32)],
    ['512 characters', padded(512)],
  ])('%s are allowed', (_, text) => {
    expect(parseTemplate(text)).toHaveLength(1);
  });

  it.each([
    ['8 filters', filters(9), 'has more than 8 filters'],
    ['32 steps', steps(33), 'has more than 32 steps'],
    ['512 characters', padded(513), 'has no "}}" within 512 characters'],
  ])('more than %s are not', (_, text, message) => {
    expect(() => parseTemplate(text)).toThrow(message);
  });
});

it('lists the secrets of a text, each once', () => {
  expect(
    secretNamesIn("{{secrets.a}} {{ run.id }} {{ secrets['b c'] }}{{secrets.a}} {{{{secrets.x}}"),
  ).toEqual(['a', 'b c']);
});
