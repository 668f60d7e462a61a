import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** One fault in the code that runs, and the test that has to notice it. Paths are relative to the root. */
export interface Mutant {
  /** What the faulty code does. */
  name: string;
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** The test file that fails because of the fault. */
  killedBy: string;
  /** Narrows the file to the tests whose titles match this pattern. */
  test?: string;
}

/** How often the text to find occurs in the file as it is. */
export const occurrencesOf = ({ file, find }: Mutant): number =>
  readFileSync(join(ROOT, file), 'utf8').split(find).length - 1;

/** The source of the file with the fault. Throws unless the text to find occurs exactly once. */
export function faultySource(mutant: Mutant): string {
  const { name, file, find, replace } = mutant;
  const count = occurrencesOf(mutant);
  if (count !== 1) throw new Error(`${name}: the text to find occurs ${count} times in ${file}, not once`);
  return readFileSync(join(ROOT, file), 'utf8').replace(find, () => replace);
}
