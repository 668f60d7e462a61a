import { useEffect, useState } from 'preact/hooks';

import { useShortcuts } from '../app/shortcuts';

interface RowActions {
  choose?(index: number): void;
  open(index: number): void;
}

/** `j` and `k` walk the rows, `x` chooses one, Enter opens it. Returns the index of the row; -1: none yet. */
export function useRowKeys(count: number, { choose, open }: RowActions): number {
  const [at, setAt] = useState(-1);
  const here = Math.min(at, count - 1);
  const step = (by: number) => () => setAt(Math.max(0, Math.min(count - 1, here + by)));
  useEffect(() => {
    if (here >= 0) document.querySelector('tr.here')?.scrollIntoView({ block: 'nearest' });
  }, [here]);
  useShortcuts([
    { keys: 'j', words: 'Next row', run: step(1) },
    { keys: 'k', words: 'Previous row', run: step(-1) },
    { keys: 'Enter', words: 'Open the row', run: () => here >= 0 && open(here) },
    ...(choose ? [{ keys: 'x', words: 'Choose the row', run: () => here >= 0 && choose(here) }] : []),
  ]);
  return here;
}
