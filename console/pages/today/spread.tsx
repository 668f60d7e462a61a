import { useState } from 'preact/hooks';

import type { Bulk } from '../../api/bulk';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { zone } from '../../app/zone';
import { useAction } from '../../parts/action';
import { BulkDialog } from '../../parts/bulk-dialog';
import { clock, MINUTE_MS } from '../../time/format';
import { bulkOf } from '../jobs/bulk-actions';
import { Confirm } from '../jobs/bulk-confirm';

const ALL = { q: '', status: '', tags: [], lastStatus: '' };
/** The API names at most so many due times at once. */
const MOST = 500;

/** Spreads the jobs of a full minute by a jitter, after it has said how many they are. */
export function SpreadButton({ fromMs }: { fromMs: number }) {
  const [ids, setIds] = useState<ReadonlySet<string>>();
  const [bulk, setBulk] = useState<Bulk>();
  const can = useCan();
  const count = useAction(async () => {
    const range = { from: new Date(fromMs).toISOString(), to: new Date(fromMs + MINUTE_MS).toISOString() };
    const { items } = await call((api) => api.upcoming({ ...range, limit: MOST }));
    if (items.length === 0) return 'This minute is over: nothing of it is ahead.';
    setIds(new Set(items.map(({ jobId }) => jobId)));
    return undefined;
  });
  if (!can('jobs:write')) return null;
  return (
    <>
      <button type="button" class="btn small" disabled={count.isBusy} onClick={() => void count.run()}>
        Spread those of {clock(fromMs, zone.value)}…
      </button>
      {ids && !bulk && (
        <Confirm
          action="Spread"
          number={ids.size}
          onClose={() => setIds(undefined)}
          onYes={(typed) => setBulk(bulkOf('Spread', { ids, all: undefined }, ALL, typed))}
        />
      )}
      {bulk && (
        <BulkDialog
          bulk={bulk}
          onClose={() => {
            setBulk(undefined);
            setIds(undefined);
            void refresh('load');
          }}
        />
      )}
    </>
  );
}
