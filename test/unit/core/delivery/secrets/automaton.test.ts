import fc from 'fast-check';

import { Automaton } from '../../../../../lambdas/core/delivery/secrets/automaton';

const text = (maxLength: number) => fc.string({ maxLength, unit: fc.constantFrom('a', 'b', 'c', '\u00ff') });

function foundBy(needles: readonly string[], sought: string): { found: [number, string][]; steps: number } {
  const found: [number, string][] = [];
  const steps = new Automaton(needles).find(sought, (needle, end) => found.push([end, needles[needle]!]));
  return { found, steps };
}

/** At each position, the longest needle that ends there. */
function expected(needles: readonly string[], sought: string): [number, string][] {
  const ends = Array.from({ length: sought.length }, (_, index) => index + 1);
  return ends.flatMap((end): [number, string][] => {
    const here = needles.filter((needle) => needle !== '' && sought.slice(0, end).endsWith(needle));
    const [longest] = here.toSorted((a, b) => b.length - a.length);
    return longest === undefined ? [] : [[end, longest]];
  });
}

it('finds at each position the longest needle that ends there, as a search of each would', () => {
  fc.assert(
    fc.property(fc.array(text(6), { maxLength: 12 }), text(60), (needles, sought) => {
      expect(foundBy(needles, sought).found).toEqual(expected(needles, sought));
    }),
  );
});

it('takes two steps for each character at most, however many needles there are', () => {
  fc.assert(
    fc.property(fc.array(text(12), { maxLength: 30 }), text(200), (needles, sought) => {
      expect(foundBy(needles, sought).steps).toBeLessThanOrEqual(2 * sought.length);
    }),
  );
  const needles = Array.from({ length: 100 }, (_, at) => `${'a'.repeat(100)}${at}`);
  expect(foundBy(needles, 'a'.repeat(5_000)).steps).toBeLessThanOrEqual(10_000);
});

it('finds nothing across a character that is no byte', () => {
  expect(foundBy(['ab'], 'a\u0100b ab').found).toEqual([[6, 'ab']]);
});
