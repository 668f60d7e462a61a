import { useState } from 'preact/hooks';

import { Labelled } from '../../editor/schedule-form';
import { Dialog, DialogActions } from '../../parts/dialog';
import { count, plural } from '../../time/format';
import type { Action } from './bulk-actions';

const MEANS: Record<Action, string> = {
  Pause: 'Paused jobs do not fire. What falls due meanwhile is recorded as skipped.',
  Resume: 'Resumed jobs fire from their next time on. Nothing is made up for.',
  Run: 'Each runs once, now. The schedules stay as they are.',
  Spread: 'Each job fires later by a part of this time. The part follows from its id, so it stays the same.',
  Delete: 'Deleted jobs never fire again. Their history stays until its retention ends.',
};

interface ConfirmProps {
  action: Action;
  number: number;
  onClose(): void;
  /** `jitter`: what was typed for `Spread`. */
  onYes(jitter: string): void;
}

/** Asks before something is done to many jobs. */
export function Confirm({ action, number, onClose, onYes }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const [jitter, setJitter] = useState('5m');
  const needsCount = action === 'Delete';
  return (
    <Dialog title={`${action} ${plural(number, 'job')}?`} part="bulk-confirm" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onYes(jitter.trim());
        }}
      >
        <p>{MEANS[action]}</p>
        {action === 'Spread' && (
          <Labelled text="Over" hint="5m; empty: at their exact times again">
            <input
              class="field"
              value={jitter}
              spellcheck={false}
              onInput={(event) => setJitter(event.currentTarget.value)}
            />
          </Labelled>
        )}
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
