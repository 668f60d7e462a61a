import type { Filter } from './filter';
import { LIST_FILTERS } from './list';
import { TEXT_FILTERS } from './text';
import { TIME_FILTERS } from './time';

/** All filters, by their names. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map([
  ...Object.entries(TIME_FILTERS),
  ...Object.entries(TEXT_FILTERS),
  ...Object.entries(LIST_FILTERS),
]);

/** How many arguments a filter takes: at least, and at most. */
export const argumentsOf = ({ parameters }: Filter): { least: number; most: number } => ({
  least: parameters.filter(({ absent }) => absent === undefined).length,
  most: parameters.length,
});
