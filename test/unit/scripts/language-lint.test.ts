import { checkSources } from '../../../scripts/lint/language/check.mjs';

/** `line rule` of each finding; for `term`, the id of the term too. */
function findingsIn(path: string, text: string): string[] {
  const { findings } = checkSources([[path, text]], { exceptions: [] });
  return findings.map(({ line, rule, term }) => [line, rule, term].filter(Boolean).join(' '));
}

/** What is sure to be found, at the end of a text that is fine: so the text was read to its end. */
const SENTINELS: [path: RegExp, text: string][] = [
  [/\.md$/, '\n\nWhoever.\n'],
  [/\.css$/, '\n/* Whoever. */\n'],
  [/\.html$/, '\n<!-- Whoever. -->\n'],
  [/\.(?:ya?ml|sh)$/, '\n\n# Whoever.\n'],
  [/\.(?:ts|mjs)$/, '\n\nconst end = 1; // Whoever.\n'],
];

function expectFine(path: string, text: string): void {
  const [, sentinel] = SENTINELS.find(([pattern]) => pattern.test(path))!;
  const lines = `${text}${sentinel}`.split('\n');
  const line = lines.findIndex((one) => one.includes('Whoever')) + 1;
  expect(findingsIn(path, lines.join('\n'))).toEqual([`${line} term whoever`]);
}

const words = (count: number): string => `${'w '.repeat(count - 1)}end`;

describe('where terms are found', () => {
  test.each([
    ['a line comment', 'lambdas/a.ts', 'const a = 1; // whoever asks', '1'],
    ['line comments that are one text', 'lambdas/a.ts', '// the second\n// look at it\n', '1'],
    ['a block comment', 'lambdas/a.ts', '/**\n * One.\n *\n * By whoever.\n */', '4'],
    ['a comment within a template', 'lambdas/a.ts', 'f(`a ${/* whoever */ 1}`);\n', '1'],
    ['a string', 'lambdas/a.ts', "const a = 'told by whoever asks';\n", '1 1'],
    ['a string of several parts', 'lambdas/a.ts', "const a = 'one ' +\n  'whoever asks';\n", '2'],
    ['a template of several lines', 'lambdas/a.ts', 'const a = `one\ntwo ${b}\nby whoever ${c}`;\n', '3'],
    ['a description', 'lambdas/a.ts', "z.string().meta({ description: 'Of use to whoever' });\n", '1'],
    ['a paragraph', 'docs/a.md', '# Title\n\nOne line,\nand whoever.\n', '4'],
    ['a phrase across lines', 'docs/a.md', 'It is a second\nlook.\n', '1'],
    ['a phrase in bold type', 'docs/a.md', 'A **second** look.\n', '1'],
    ['the text of a link', 'docs/a.md', 'See [whoever](https://example.com).\n', '1'],
    ['a cell', 'docs/a.md', '| a | b |\n| - | - |\n| c | whoever |\n', '3'],
    ['a diagram', 'docs/a.md', '```mermaid\nflowchart LR\n  a -- second look --> b\n```\n', '3'],
    ['inline code', 'docs/a.md', 'Calls `lookAtEntry(entry)`.\n', '1'],
    ['a stylesheet', 'local/a.css', 'a { color: red }\n/* whoever */\n', '2'],
    ['a page', 'local/a.html', '<p>\n<!-- whoever -->\n', '2'],
    ['YAML', '.github/a.yml', 'a: 1 # whoever\n# whoever\n', '1 2'],
    ['a script', 'scripts/a.sh', '#!/bin/sh\n# whoever\necho "# whoever"\n', '2'],
  ])('%s', (_, path, text, lines) => {
    const found = findingsIn(path, text);
    expect(found.filter((one) => one.includes('term')).map((one) => one.split(' ')[0])).toEqual(
      lines.split(' '),
    );
  });

  test('a name is reported once for each file, with its uses', () => {
    const { findings } = checkSources([
      ['lambdas/a.ts', 'const lookAt = 1;\nlookAt;\nthis.lookAt;\n'],
      ['lambdas/b.ts', 'lookAt;\n'],
    ]);
    expect(findings.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([
      'lambdas/a.ts:1 `lookAt` → recheck; read (3 uses)',
      'lambdas/b.ts:1 `lookAt` → recheck; read',
    ]);
  });

  test.each([
    ['lambdas/look-at.ts', ['1 term look']],
    ['lambdas/look/entry.ts', ['1 term look']],
    ['docs/adr/0002-second-look.md', ['1 term look']],
    ['lambdas/lookup.ts', []],
  ])('the path %s', (path, expected) => {
    expect(findingsIn(path, '')).toEqual(expected);
  });

  test.each([
    ['code', 'docs/a.md', '```ts\nlookAt(whoever);\n```\n\n    whoever indented\n'],
    [
      'the target of a link',
      'docs/a.md',
      'See [it](whoever.md) and <https://whoever.test/look-at>.\n\n[a]: whoever.md',
    ],
    ['an import', 'lambdas/a.ts', "import { a } from './look-at';\nexport { b } from '../whoever';\n"],
    [
      'a word that holds a term',
      'lambdas/a.ts',
      'const lookup = outlooks2; // an overlook, the handovers2\n',
    ],
    ['an interpolated value', 'lambdas/a.ts', 'const a = `b ${c} d`;\n'],
  ])('not in %s', (_, path, text) => expectFine(path, text));
});

describe('at most 25 words in a sentence', () => {
  test.each([
    ['a comment', 'lambdas/a.ts', `// ${words(26)}.\n`, ['1 sentence']],
    ['the second sentence', 'lambdas/a.ts', `/** One.\n * ${words(26)}.\n */`, ['2 sentence']],
    ['lines of one sentence', 'docs/a.md', `${words(13)}\n${words(13)}.\n`, ['1 sentence']],
    ['a list item over two lines', 'docs/a.md', `- ${words(13)}\n  ${words(13)}.\n`, ['1 sentence']],
    ['a cell', 'docs/a.md', `| a |\n| - |\n| ${words(26)} |\n`, ['3 sentence']],
    ['a tag', 'lambdas/a.ts', `/**\n * Does.\n * @param a ${words(26)}\n */`, ['3 sentence']],
    ['an abbreviation within', 'docs/a.md', `${words(13)}, e.g. ${words(13)}.\n`, ['1 sentence']],
    ['a file name and a number within', 'docs/a.md', `In a.ts 1.5 ${words(24)}.\n`, ['1 sentence']],
    ['a semicolon within', 'docs/a.md', `${words(13)}; ${words(13)}.\n`, ['1 sentence']],
    ['a description', 'lambdas/a.ts', `f({ description: '${words(26)}.' });\n`, ['1 sentence']],
    [
      'a message in two parts',
      'lambdas/a.ts',
      `throw new Error('${words(13)} ' +\n  '${words(13)}');\n`,
      ['1 sentence'],
    ],
  ])('%s', (_, path, text, expected) => {
    expect(findingsIn(path, text)).toEqual(expected);
  });

  test.each([
    ['25 words', 'docs/a.md', `${words(25)}.`],
    ['two sentences', 'docs/a.md', `${words(15)}. ${words(15)}.`],
    ['a question and an answer', 'docs/a.md', `${words(15)}? ${words(15)}!`],
    ['inline code as one word', 'docs/a.md', `${words(24)} \`a b c d e f\`.`],
    ['a link as its text', 'docs/a.md', `${words(24)} [one](https://a.test/b).`],
    ['signs that are no words', 'docs/a.md', `${words(20)} → a & b – c — d + e.`],
    ['list items', 'docs/a.md', `- ${words(15)}\n- ${words(15)}\n1. ${words(15)}`],
    ['a heading and a paragraph', 'docs/a.md', `## ${words(15)}\n${words(15)}`],
    ['a list after its introduction', 'docs/a.md', `${words(15)}:\n- ${words(15)}`],
    ['cells', 'docs/a.md', `| ${words(15)} | ${words(15)} |`],
    ['a pipe in code, within a cell', 'docs/a.md', `| ${words(15)} \`a | b\` ${words(9)} |`],
    ['"etc." at the end', 'docs/a.md', `${words(15)} etc. And ${words(15)}.`],
    ['tags', 'lambdas/a.ts', `/**\n * ${words(15)}\n * @param a ${words(15)}\n * @returns ${words(15)}\n */`],
    ['labels of a store', 'lambdas/a.ts', `/**\n * Key: ${words(15)}\n * Cost: ${words(15)}\n */`],
    [
      'defined values',
      'lambdas/a.ts',
      `/**\n * One of:\n * \`a\`: ${words(15)};\n * \`b\` – ${words(15)}.\n */`,
    ],
    ['comments apart', 'lambdas/a.ts', `// ${words(15)}\n\n// ${words(15)}\n`],
    ['trailing comments', 'lambdas/a.ts', `a; // ${words(15)}\nb; // ${words(15)}\n`],
    ['a drawing', 'lambdas/a.ts', `/**\n * Axis:\n *\n *     ${words(30)}\n */`],
    ['a directive', 'lambdas/a.ts', `// oxlint-disable-next-line a -- ${words(15)}\n`],
    ['strings of tests', 'test/a.test.ts', `f('${words(30)}');\n`],
    ['lines of a template', 'lambdas/a.ts', `f(\`${words(15)}\n${words(15)}\`);\n`],
  ])('%s is fine', (_, path, text) => expectFine(path, text));
});

/** In tests, strings may have long sentences: what is reported was read as a comment. */
test.each([
  ['a regular expression', 'const a = /[\'"`/*]/;'],
  ['a regular expression at the start', '/[`]/.test(a);'],
  ['a regular expression after a word', 'return /[`]/;'],
  ['a division', 'const a = b / c;'],
  ['a division by a division', 'const a = (b) / c / d;'],
  ['a quote within quotes', 'const a = "\'`" + \'"`\';'],
  ['an escaped quote', "const a = '\\'`';"],
  ['a nested template', 'f(`a ${b ? `c ${"}`"}` : 1} d`);'],
  ['braces in a template', 'f(`a ${b({ c: 1 }, "`")}`);'],
  ['a dollar in a template', 'f(`a $ {b} \\${c`);'],
])('a comment behind %s is a comment', (_, code) => {
  expect(findingsIn('test/a.ts', `${code} // ${words(26)}\n`)).toEqual(['1 sentence']);
});

describe('openings', () => {
  test.each([
    ['Of the entries, the first.', ['1 opening']],
    ['Of what arrived.', ['1 opening']],
    ['One. Of a page.', ['1 opening']],
    ['One sentence.\nOf several targets, each may report.', ['2 opening']],
  ])('%s', (text, expected) => {
    expect(findingsIn('docs/a.md', text)).toEqual(expected);
    expect(findingsIn('lambdas/a.ts', `/*\n${text}\n*/`)).toEqual([`${Number(expected[0]![0]) + 1} opening`]);
  });

  test.each(['Of course not.', 'The first of the entries.', 'One, of the two.'])('%s is fine', (text) =>
    expectFine('docs/a.md', text),
  );
});

describe('widths', () => {
  const wide = `${'w '.repeat(20)}${'a'.repeat(71)}`;

  test.each([
    ['a comment', 'lambdas/a.ts', `// ${wide.slice(0, 108)}`, ['1 width']],
    ['a comment beside code', 'lambdas/a.ts', `${'a'.repeat(30)}; // ${wide.slice(0, 80)}`, ['1 width']],
    ['a line of a block', 'lambdas/a.ts', `/**\n * ${wide}\n */`, ['2 width']],
    ['a line of a document', 'docs/a.md', wide, ['1 width']],
    [
      'a list item with more than its link',
      'docs/a.md',
      `- See [a](https://${'a'.repeat(100)}).`,
      ['1 width'],
    ],
    ['a stylesheet', 'local/a.css', `/* ${wide} */`, ['1 width']],
  ])('%s above 110 columns', (_, path, text, expected) => {
    expect(findingsIn(path, text)).toEqual(expected);
  });

  test.each([
    ['110 columns', 'docs/a.md', wide.slice(0, 110)],
    ['characters that take two units', 'docs/a.md', '🕰 '.repeat(54)],
    ['a table', 'docs/a.md', `| ${wide} |`],
    ['code', 'docs/a.md', `\`\`\`sh\n${wide}\n\`\`\``],
    ['a line that is one link', 'docs/a.md', `[one or two words](https://${'a'.repeat(100)})`],
    ['an item that is one link', 'docs/a.md', `- [one](https://${'a'.repeat(110)})`],
    ['an address', 'lambdas/a.ts', `// https://${'a'.repeat(110)}`],
    ['code without a comment', 'lambdas/a.ts', `const a = '${'a'.repeat(110)}';`],
  ])('%s is fine', (_, path, text) => expectFine(path, text));

  test('a cell has at most 200 characters', () => {
    const cell = `${'a '.repeat(20)}${'b'.repeat(160)}`;
    expect(cell).toHaveLength(200);
    expectFine('docs/a.md', `| x | ${cell}            |\n| - | - |\n`);
    expect(findingsIn('docs/a.md', `| x | ${cell}c |\n| - | - |\n`)).toEqual(['1 cell']);
    expect(findingsIn('lambdas/a.ts', `/**\n * | x | ${cell}c |\n */`)).toContain('2 cell');
  });

  test('a stylesheet has at most 300 lines', () => {
    expect(findingsIn('local/a.css', 'a {}\n'.repeat(300))).toEqual([]);
    expect(findingsIn('local/a.css', 'a {}\n'.repeat(301))).toEqual(['1 size']);
  });
});
