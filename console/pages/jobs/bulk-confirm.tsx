import { useState } from 'preact/hooks';

import { zone } from '../../app/zone';
import { Labelled } from '../../parts/labelled';
import { Dialog, DialogActions } from '../../parts/dialog';
import { count, plural } from '../../time/format';
import type { Action } from './bulk-actions';
import { isTag } from './bulk-patch';

const MEANS: Record<Action, string> = {
  Pause: 'Paused jobs do not fire. What falls due meanwhile is recorded as skipped.',
  Resume: 'Resumed jobs fire from their next time on. Nothing is made up for.',
  Run: 'Each runs once, now. The schedules stay as they are.',
  Spread: 'Each job fires later by a part of this time. The part follows from its id, so it stays the same.',
  Tag: 'Each job gets this tag. Its other tags stay as they are.',
  Delete: 'Deleted jobs never fire again. Their history stays until its retention ends.',
};

/** What an action asks for: the name of the field, a hint, and what it begins with. */
const FIELDS: Partial<Record<Action, readonly [label: string, hint: string, first: string]>> = {
  Pause: ['Until', 'empty: until you resume them', ''],
  Spread: ['Over', '5m; empty: at their exact times again', '5m'],
  Tag: ['Tag', 'team:billing; without a value, team: is removed', ''],
};

interface ConfirmProps {
  action: Action;
  number: number;
  onClose(): void;
  /** `typed`: in the field of the action. */
  onYes(typed: string): void;
}

/** Asks before something is done to many jobs. */
export function Confirm({ action, number, onClose, onYes }: ConfirmProps) {
  const [label, hint, first = ''] = FIELDS[action] ?? [];
  const [typed, setTyped] = useState(first);
  const needsCount = action === 'Delete';
  return (
    <Dialog title={`${action} ${plural(number, 'job')}?`} part="bulk-confirm" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onYes(typed.trim());
        }}
      >
        <p>{MEANS[action]}</p>
        {label && (
          <Labelled text={label} hint={action === 'Pause' ? `${zone.value}; ${hint}` : hint}>
            <input
              class="field"
              type={action === 'Pause' ? 'datetime-local' : 'text'}
              value={typed}
              spellcheck={false}
              onInput={(event) => setTyped(event.currentTarget.value)}
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
          disabled={(needsCount && typed !== String(number)) || (action === 'Tag' && !isTag(typed.trim()))}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
