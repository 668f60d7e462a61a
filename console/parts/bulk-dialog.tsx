import { useEffect, useRef, useState } from 'preact/hooks';

import { type BulkState, runBulk } from '../api/bulk';
import { count } from '../time/format';
import { Dialog } from './dialog';
import { wordsOf } from './problem';

export interface Bulk<Item> {
  /** `Pause 5 jobs` */
  title: string;
  items: readonly Item[];
  /** What an item is called in the list of refusals. */
  nameOf(item: Item): string;
  act(item: Item): Promise<unknown>;
}

/** The progress of a bulk action, with a way to stop it. Closing it stops it too. */
export function BulkDialog<Item>({ bulk, onClose }: { bulk: Bulk<Item>; onClose(done: number): void }) {
  const { title, items, nameOf, act } = bulk;
  const [state, setState] = useState<BulkState<Item>>({
    total: items.length,
    done: 0,
    refused: [],
    isOver: false,
  });
  const stop = useRef(new AbortController());
  useEffect(() => {
    const { signal } = stop.current;
    void runBulk(items, act, { signal, onState: setState });
    return () => stop.current.abort();
  }, []);
  const { done, refused, total, isOver } = state;
  const close = () => {
    stop.current.abort();
    onClose(done);
  };
  return (
    <Dialog title={title} part="bulk-progress" onClose={close}>
      <progress max={total} value={done + refused.length} aria-label={title} />
      <p role="status">
        {count(done)} of {count(total)} done
        {refused.length > 0 && `, ${count(refused.length)} refused`}
        {isOver && done + refused.length < total && ', then stopped'}
      </p>
      {refused.length > 0 && (
        <ul class="refusals">
          {refused.slice(0, 50).map(({ item, why }) => (
            <li key={nameOf(item)}>
              <strong>{nameOf(item)}</strong> {wordsOf(why)}
            </li>
          ))}
        </ul>
      )}
      <p class="acts end">
        {isOver ? (
          <button type="button" class="btn first" onClick={close}>
            Close
          </button>
        ) : (
          <button type="button" class="btn" onClick={() => stop.current.abort()}>
            Stop
          </button>
        )}
      </p>
    </Dialog>
  );
}
