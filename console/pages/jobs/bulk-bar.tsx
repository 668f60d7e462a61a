import { useState } from 'preact/hooks';

import { type Bulk, countOf } from '../../api/bulk';
import { pageOfApi } from '../../api/bulk-pages';
import { matchingIds } from '../../api/jobs';
import type { JobsFilter } from '../../api/jobs-filter';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { useAction } from '../../parts/action';
import { BulkDialog } from '../../parts/bulk-dialog';
import { Icon } from '../../parts/icons';
import { count } from '../../time/format';
import { type Action, bulkOf, type Chosen, requestOf } from './bulk-actions';
import { Confirm } from './bulk-confirm';

interface BulkBarProps {
  chosen: Chosen;
  filter: JobsFilter;
  /** There may be more than those that are shown. */
  hasMore: boolean;
  onChoose(chosen: Chosen): void;
}

/** What can be done with the chosen jobs. Each action asks first. */
export function BulkBar({ chosen, filter, hasMore, onChoose }: BulkBarProps) {
  const [asked, setAsked] = useState<Action>();
  const [bulk, setBulk] = useState<Bulk>();
  const none: Chosen = { ids: new Set(), all: undefined };
  const number = chosen.all ?? chosen.ids.size;
  const all = useAction(async () => {
    // The API cannot select by the last result in a bulk, so these are chosen one by one.
    if (filter.lastStatus) onChoose({ ids: new Set(await matchingIds(filter)), all: undefined });
    else onChoose({ ids: new Set(), all: await countOf(requestOf('Pause', filter), pageOfApi) });
    return undefined;
  });
  if (number === 0) return null;
  return (
    <>
      <div class="bulk" role="region" aria-label="Chosen jobs" data-part="bulk">
        <strong>
          {chosen.all === undefined ? `${count(number)} chosen` : `all ${count(number)} chosen`}
        </strong>
        {hasMore && chosen.all === undefined && (
          <button type="button" class="btn bare small" disabled={all.isBusy} onClick={() => void all.run()}>
            Choose all that match
          </button>
        )}
        <Buttons onAsk={setAsked} />
        <button type="button" class="btn bare small" aria-label="Choose none" onClick={() => onChoose(none)}>
          <Icon name="close" size={14} />
        </button>
      </div>
      {asked && (
        <Confirm
          action={asked}
          number={number}
          onClose={() => setAsked(undefined)}
          onYes={(typed) => {
            setAsked(undefined);
            setBulk(bulkOf(asked, chosen, filter, typed));
          }}
        />
      )}
      {bulk && (
        <BulkDialog
          bulk={bulk}
          onClose={() => {
            setBulk(undefined);
            onChoose(none);
            void refresh('jobs');
          }}
        />
      )}
    </>
  );
}

/** The actions that the reader may do. */
function Buttons({ onAsk }: { onAsk(action: Action): void }) {
  const can = useCan();
  const shown: readonly Action[] = can('jobs:write')
    ? ['Pause', 'Resume', 'Run', 'Spread', 'Tag', 'Delete']
    : can('runs:operate')
      ? ['Pause', 'Resume', 'Run']
      : [];
  return (
    <>
      {shown.map((action) => (
        <button key={action} type="button" class="btn small" onClick={() => onAsk(action)}>
          {action === 'Pause' && <Icon name="pause" size={14} />}
          {action === 'Run' && <Icon name="run" size={14} />}
          {action}
          {['Spread', 'Tag', 'Delete'].includes(action) && '…'}
        </button>
      ))}
    </>
  );
}
