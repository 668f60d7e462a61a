import { useEffect, useRef, useState } from 'preact/hooks';

import type { Bulk, BulkState } from '../api/bulk';
import { count } from '../time/format';
import { Dialog } from './dialog';
import { wordsOf } from './problem';

const MOST_REFUSALS = 50;

/** The progress of a bulk action, with a way to stop it. Closing it stops it too. */
export function BulkDialog({ bulk, onClose }: { bulk: Bulk; onClose(done: number): void }) {
  const [state, setState] = useState<BulkState>({ total: bulk.total, done: 0, refused: [], isOver: false });
  const stop = useRef(new AbortController());
  useEffect(() => {
    void bulk.run({ signal: stop.current.signal, onState: setState });
    return () => stop.current.abort();
  }, []);
  const { done, refused, isOver } = state;
  const close = () => {
    stop.current.abort();
    onClose(done);
  };
  return (
    <Dialog title={bulk.title} part="bulk-progress" onClose={close}>
      <progress max={bulk.total} value={done + refused.length} aria-label={bulk.title} />
      <p role="status">{sentence(state)}</p>
      {refused.length > 0 && (
        <ul class="refusals">
          {refused.slice(0, MOST_REFUSALS).map(({ name, why }) => (
            <li key={name}>
              <strong>{name}</strong> {wordsOf(why)}
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

function sentence({ done, total, refused, isOver, error }: BulkState): string {
  const parts = [
    `${count(done)} of ${count(total)} done`,
    refused.length > 0 && `${count(refused.length)} refused`,
    isOver && error === undefined && done + refused.length < total && 'then stopped',
    error !== undefined && `then it ended: ${wordsOf(error)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
