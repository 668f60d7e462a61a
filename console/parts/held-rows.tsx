import { useEffect, useRef, useState } from 'preact/hooks';

import type { Execution } from '../../client/browser';

const idOf = ({ jobId, execId }: Execution): string => `${jobId} ${execId}`;

/**
 * The rows, without new ones at the top while the reader is further down: a poll never moves what is read.
 * `filter` names the list; another one begins anew.
 */
export function useHeldRows(items: readonly Execution[], filter: string) {
  const [top, setTop] = useState<string>();
  const last = useRef(filter);
  const isReading = scrollY > 200;
  // What is planned stands above what ran, so a new run comes below it.
  const ahead = items.findIndex(({ status }) => status !== 'scheduled');
  const planned = items.slice(0, Math.max(0, ahead));
  const ran = items.slice(planned.length);
  const newest = ran[0] && idOf(ran[0]);
  useEffect(() => {
    if (!isReading || last.current !== filter || top === undefined) setTop(newest);
    last.current = filter;
  }, [newest, filter, isReading]);
  const from = isReading && top !== undefined ? ran.findIndex((one) => idOf(one) === top) : 0;
  const held = Math.max(0, from);
  return { items: [...planned, ...ran.slice(held)], held, show: () => setTop(newest) };
}

/** How many rows wait, and a button that shows them. */
export const HeldRows = ({ held, show }: { held: number; show(): void }) =>
  held > 0 ? (
    <p class="held">
      <button type="button" class="pill" onClick={show}>
        {held} new · show
      </button>
    </p>
  ) : null;
