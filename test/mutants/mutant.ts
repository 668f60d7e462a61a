import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { placesOf } from './places';

export const ROOT = join(__dirname, '../..');

/** One fault in the code that runs, and the test that has to notice it. Paths are relative to the root. */
export interface Mutant {
  /** What the faulty code does. */
  name: string;
  file: string;
  /** Occurs exactly once in the file. White space and line breaks do not matter. */
  find: string;
  replace: string;
  /** The test file that fails because of the fault. */
  killedBy: string;
  /** Narrows the file to the tests whose titles match this pattern. */
  test?: string;
}

/** The mutants whose file, or whose test, is one of some files. */
export const concernedBy = (files: ReadonlySet<string>, mutants: readonly Mutant[]): Mutant[] =>
  mutants.filter(({ file, killedBy }) => files.has(file) || files.has(killedBy));

const sourceOf = ({ file }: Mutant): string => readFileSync(join(ROOT, file), 'utf8');

/** How often the code to find occurs in the file as it is. */
export const occurrencesOf = (mutant: Mutant): number => placesOf(mutant.find, sourceOf(mutant)).length;

/** The source of the file with the fault. Throws unless the code to find occurs exactly once. */
export function faultySource(mutant: Mutant): string {
  const { name, file, find, replace } = mutant;
  const source = sourceOf(mutant);
  const places = placesOf(find, source);
  const [place] = places;
  if (!place || places.length > 1)
    throw new Error(`${name}: the code to find occurs ${places.length} times in ${file}, not once`);
  return source.slice(0, place.from) + replace + source.slice(place.to);
}
