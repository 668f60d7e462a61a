import { useEffect, useRef, useState } from 'preact/hooks';

import type { Bulk, BulkState } from '../api/bulk';
import { count } from '../time/format';
import { Dialog } from './dialog';
import { wordsOf } from './problem';

const MOST_REFUSALS = 50;

/** The progress of a bulk action, with a way to stop it. It stays until what is under way has ended. */
export function BulkDialog({ bulk, onClose }: { bulk: Bulk; onClose(done: number): void }) {
  const [state, setState] = useState<BulkState>();
  const stop = useRef(new AbortController());
  useEffect(() => {
    void bulk.run({ signal: stop.current.signal, onState: setState });
    return () => stop.current.abort();
  }, []);
  const { done = 0, refused = [], isOver = false, isStopping = false } = state ?? {};
  const close = () => (isOver ? onClose(done) : stop.current.abort());
  return (
    <Dialog title={bulk.title} part="bulk-progress" onClose={close}>
      <progress max={bulk.total} value={done + refused.length} aria-label={bulk.title} />
      <p role="status">{sentence(state, bulk.total)}</p>
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
          <button type="button" class="btn" disabled={isStopping} onClick={close}>
            Stop
          </button>
        )}
      </p>
    </Dialog>
  );
}

function sentence(state: BulkState | undefined, total: number): string {
  const { done = 0, refused = [], isOver = false, isStopping = false, error } = state ?? {};
  const parts = [
    `${count(done)} of ${count(total)} done`,
    refused.length > 0 && `${count(refused.length)} refused`,
    isStopping && !isOver && 'stopping after what is under way',
    isOver && error === undefined && done + refused.length < total && 'then stopped',
    error !== undefined && `then it ended, and more may be done: ${wordsOf(error)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
