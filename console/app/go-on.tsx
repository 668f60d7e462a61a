import { useState } from 'preact/hooks';

import type { Bulk } from '../api/bulk';
import { bulkByApi } from '../api/bulk-pages';
import { refresh } from '../api/polling';
import { BulkDialog } from '../parts/bulk-dialog';
import { Dialog, DialogActions, Form } from '../parts/dialog';
import { count } from '../time/format';
import { bulkAtStart, keepBulk, keptBulk } from './kept-bulk';

/** Asks whether a bulk that a reload has ended is to go on. */
export function GoOn() {
  const [kept, setKept] = useState(() => keptBulk(bulkAtStart!));
  const [bulk, setBulk] = useState<Bulk>();
  const leave = () => {
    keepBulk(bulkAtStart!, undefined);
    setKept(undefined);
  };
  if (!kept) return null;
  if (bulk)
    return (
      <BulkDialog
        bulk={bulk}
        onClose={() => {
          void refresh();
          setKept(undefined);
        }}
      />
    );
  return (
    <Dialog title={`${kept.title}: go on?`} part="bulk-go-on" onClose={leave}>
      <Form onSubmit={() => setBulk(bulkByApi(kept))}>
        <p>
          {count(kept.from.done)} of {count(kept.total)} were done when the page was left. Nothing is done
          twice.
        </p>
        <DialogActions submit="Go on" onClose={leave} />
      </Form>
    </Dialog>
  );
}
