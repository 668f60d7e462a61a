import { useState } from 'preact/hooks';

import { call } from '../../api/client';
import { type JobsFilter, matchingIds } from '../../api/jobs';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { useAction } from '../../parts/action';
import { type Bulk, BulkDialog } from '../../parts/bulk-dialog';
import { Dialog, DialogActions } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { count, plural } from '../../time/format';

const ACTIONS = {
  Pause: (jobId: string) => call((api) => api.jobs.pause(jobId)),
  Resume: (jobId: string) => call((api) => api.jobs.resume(jobId)),
  Run: (jobId: string) => call((api) => api.jobs.run(jobId)),
  Delete: (jobId: string) => call((api) => api.jobs.delete(jobId)),
} satisfies Record<string, (jobId: string) => Promise<unknown>>;
type Action = keyof typeof ACTIONS;

interface BulkBarProps {
  chosen: ReadonlySet<string>;
  filter: JobsFilter;
  hasMore: boolean;
  onChoose(ids: readonly string[]): void;
}

/** What can be done with the chosen jobs. Each action asks first. */
export function BulkBar({ chosen, filter, hasMore, onChoose }: BulkBarProps) {
  const [asked, setAsked] = useState<Action>();
  const [bulk, setBulk] = useState<Bulk<string>>();
  const can = useCan();
  const all = useAction(async () => {
    onChoose(await matchingIds(filter));
    return undefined;
  });
  if (chosen.size === 0) return null;
  const begin = (action: Action) => {
    setAsked(undefined);
    const title = `${action} ${plural(chosen.size, 'job')}`;
    setBulk({ title, items: [...chosen], nameOf: (jobId) => jobId, act: ACTIONS[action] });
  };
  const shown: Action[] = can('jobs:write') ? ['Pause', 'Resume', 'Run', 'Delete'] : [];
  return (
    <>
      <div class="bulk" role="region" aria-label="Chosen jobs" data-part="bulk">
        <strong>{count(chosen.size)} chosen</strong>
        {hasMore && (
          <button type="button" class="btn bare small" disabled={all.isBusy} onClick={() => void all.run()}>
            Choose all that match
          </button>
        )}
        {(can('runs:operate') && shown.length === 0 ? (['Run'] as const) : shown).map((action) => (
          <button key={action} type="button" class="btn small" onClick={() => setAsked(action)}>
            {action === 'Pause' && <Icon name="pause" size={14} />}
            {action === 'Run' && <Icon name="run" size={14} />}
            {action}
            {action === 'Delete' && '…'}
          </button>
        ))}
        <button type="button" class="btn bare small" aria-label="Choose none" onClick={() => onChoose([])}>
          <Icon name="close" size={14} />
        </button>
      </div>
      {asked && (
        <Confirm
          action={asked}
          number={chosen.size}
          onClose={() => setAsked(undefined)}
          onYes={() => begin(asked)}
        />
      )}
      {bulk && (
        <BulkDialog
          bulk={bulk}
          onClose={() => {
            setBulk(undefined);
            onChoose([]);
            void refresh('jobs');
          }}
        />
      )}
    </>
  );
}

const MEANS: Record<Action, string> = {
  Pause: 'Paused jobs do not fire. What falls due meanwhile is recorded as skipped.',
  Resume: 'Resumed jobs fire from their next time on. Nothing is made up for.',
  Run: 'Each runs once, now. The schedules stay as they are.',
  Delete: 'Deleted jobs never fire again. Their history stays until its retention ends.',
};

interface ConfirmProps {
  action: Action;
  number: number;
  onClose(): void;
  onYes(): void;
}

function Confirm({ action, number, onClose, onYes }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const needsCount = action === 'Delete';
  return (
    <Dialog title={`${action} ${plural(number, 'job')}?`} part="bulk-confirm" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onYes();
        }}
      >
        <p>{MEANS[action]}</p>
        {needsCount && (
          <label class="labelled">
            Type {number} to confirm
            <input
              class="field"
              inputMode="numeric"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
        )}
        <DialogActions
          submit={`${action} ${count(number)}`}
          danger={needsCount}
          disabled={needsCount && typed !== String(number)}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
