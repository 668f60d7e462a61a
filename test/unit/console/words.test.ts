import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AFTER_FAILURE, MISFIRES, OVERLAPS, REASONS, TRIGGERS, wordsFor } from '../../../console/parts/words';

const root = join(__dirname, '../../../lambdas/core/domain');

/** The texts of a type in the sources of the functions: what the API may say. */
function codesOf(file: string, type: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const [, body] = new RegExp(`type ${type} =([^;]*);`).exec(source)!;
  return [...body!.matchAll(/'([^']+)'/g)].map(([, code]) => code!);
}

test.each([
  ['reason.ts', 'Reason', REASONS],
  ['workflow/run-state.ts', 'StopReason', REASONS],
  ['execution.ts', 'OtherTrigger', TRIGGERS],
  ['execution.ts', 'Trigger', TRIGGERS],
  ['job.ts', 'MisfirePolicy', MISFIRES],
  ['job.ts', 'Overlap', OVERLAPS],
])('%s: each %s has words', (file, type, words) => {
  const codes = codesOf(file, type);
  expect(codes.length).toBeGreaterThan(1);
  expect(codes.filter((code) => wordsFor(words, code) === code)).toEqual([]);
});

test('words are no codes, and a code that is new stands as it is', () => {
  for (const words of [REASONS, TRIGGERS, MISFIRES, OVERLAPS, AFTER_FAILURE])
    expect(Object.values(words).filter((text) => !text.includes(' '))).toEqual([]);
  expect([wordsFor(REASONS, 'of-tomorrow'), wordsFor(REASONS, 'constructor')]).toEqual([
    'of-tomorrow',
    'constructor',
  ]);
  expect(wordsFor(REASONS, 'fatal')).toBe('an error that a retry does not cure');
});
