import type { Row } from '../access';

/** The attributes `<letter>0`, `<letter>1` … by their numbers. */
export const numbered = (row: Row, letter: string): Record<number, string> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name.startsWith(letter) && /^\d+$/.test(name.slice(1)))
      .map(([name, value]) => [Number(name.slice(1)), value as string]),
  );
