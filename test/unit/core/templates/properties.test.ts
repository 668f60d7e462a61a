import fc from 'fast-check';

import { FILTERS } from '../../../../lambdas/core/templates/filters/filters';
import { parseTemplate } from '../../../../lambdas/core/templates/parse';
import { Renderer } from '../../../../lambdas/core/templates/render';
import type { Json } from '../../../../lambdas/core/templates/syntax';
import { MAX_RESULT_BYTES } from '../../../../lambdas/core/templates/syntax';
import { TemplateError } from '../../../../lambdas/core/templates/template-error';
import { zoneOf } from '../../../../lambdas/core/schedule/zone';

const zone = zoneOf('Europe/Berlin');
const TOKENS = [
  '{{',
  '}}',
  '{',
  '}',
  "'",
  '|',
  '(',
  ')',
  ',',
  '.',
  '[',
  ']',
  '-',
  '1',
  ' ',
  'run',
  'secrets',
];
const token = fc.oneof(fc.constantFrom(...TOKENS, ...FILTERS.keys()), fc.string({ maxLength: 3 }));
const soup = fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join(''));

/** The result, or undefined for a `TemplateError`; any other error fails the test. */
function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

it('the parser throws nothing but its own error', () => {
  fc.assert(
    fc.property(soup, (text) => {
      const parts = attempted(() => parseTemplate(text));
      expect(parts === undefined || Array.isArray(parts)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it('a text without braces renders to itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('{{')),
      (text) => {
        expect(new Renderer({ roots: {}, zone }).json(text)).toBe(text);
      },
    ),
  );
});

it('any text renders to itself once its braces are doubled', () => {
  fc.assert(
    fc.property(soup, (text) => {
      expect(new Renderer({ roots: {}, zone }).json(text.replaceAll('{{', '{{{{'))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

describe('the parser reads each character a fixed number of times', () => {
  const READS = 12;
  it.each<[string, (length: number) => string]>([
    ['open braces', (length) => '{{'.repeat(length / 2)],
    ['literal braces', (length) => '{{{{'.repeat(length / 4)],
    ['small expressions', (length) => '{{a}}'.repeat(length / 5)],
    ['quotes', (length) => `{{a|f('${"''".repeat(200)}')}}`.repeat(length / 410)],
    ['an open quote', (length) => `${'x'.repeat(length)}{{a|f('${'y'.repeat(length)}`],
    ['steps', (length) => `{{${'a.'.repeat(15)}a}}`.repeat(length / 35)],
    ['filters', (length) => `{{a${'|f(1,2,3)'.repeat(8)}}}`.repeat(length / 77)],
    ['spaces', (length) => `{{${' '.repeat(500)}a}}`.repeat(length / 505)],
  ])('%s', (_, textOf) => {
    const text = textOf(8_000);
    const reads = jest.spyOn(String.prototype, 'charAt');
    attempted(() => parseTemplate(text));
    const count = reads.mock.calls.length;
    reads.mockRestore();
    expect(count).toBeLessThan(READS * text.length);
  });
});

const argument = fc.oneof(
  fc.constantFrom("'-1d'", "'yyyy'", "'day'", "'Asia/Tokyo'", "'a'", "'n'", 'null', 'item.list', 'item.text'),
  fc.integer({ min: -3, max: 70_000 }).map(String),
);
const call = fc
  .tuple(fc.constantFrom(...FILTERS.keys()), fc.array(argument, { maxLength: 2 }))
  .map(([name, args]) => (args.length === 0 ? name : `${name}(${args.join()})`));
const start = fc.constantFrom('run.dueAt', 'run.day', 'item', 'item.text', 'item.list', 'item.big', 'item.n');

it('each expression over each value gives a bounded result or an error, and the same one again', () => {
  const roots: Record<string, Json> = {
    run: { dueAt: '2026-12-01T08:30:00.000Z', day: '2026-12-01' },
    item: {
      text: 'aß"\\😀 2',
      list: [{ n: 1 }, { n: [1, 2] }, 3, 'a'],
      big: 'a'.repeat(40_000),
      n: 9_000,
    },
  };
  const rendered = (text: string) => attempted(() => new Renderer({ roots, zone }).json(text));
  let values = 0;
  fc.assert(
    fc.property(start, fc.array(call, { maxLength: 8 }), (path, calls) => {
      const text = `{{ ${[path, ...calls].join(' | ')} }}`;
      const value = rendered(text);
      expect(rendered(text)).toEqual(value);
      if (value === undefined) return;
      values += 1;
      const bytes = typeof value === 'string' ? value : JSON.stringify(value);
      expect(Buffer.byteLength(bytes)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    }),
    { numRuns: 600 },
  );
  expect(values).toBeGreaterThan(50);
});

it('the work of one rendering is bounded, whatever its results are', () => {
  const roots = { item: { big: 'a'.repeat(60_000) } };
  const value = Array.from({ length: 200 }, () => '{{ item.big | upper | lower | length }}');
  expect(() => new Renderer({ roots, zone }).json(value)).toThrow('all values together');
  expect(() => new Renderer({ roots, zone }).json("{{ item.big | replace('a', item.big) }}")).toThrow(
    'replace: makes more than 65536 bytes',
  );
});
