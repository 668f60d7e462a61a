import { useState } from 'preact/hooks';

import type { ConcurrencyKey } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { Labelled } from '../../parts/labelled';
import { useAction } from '../../parts/action';
import { Dialog, DialogActions, Form } from '../../parts/dialog';

/** Creates a key, or changes its limit. */
export function SetKeyDialog({ present, onClose }: { present: ConcurrencyKey | undefined; onClose(): void }) {
  const [name, setName] = useState(present?.key ?? '');
  const [limit, setLimit] = useState(String(present?.limit ?? 1));
  // A change of the limit keeps the rate. One that a rule gives stays the rule's.
  const rate = present?.rule === undefined ? present?.rate : undefined;
  const action = useAction(async () => {
    await call((api) => api.concurrencyKeys.set(name.trim(), { limit: Number(limit), rate }));
    await refresh('concurrency-keys');
    onClose();
    return `${name.trim()} has ${limit} slots.`;
  });
  return (
    <Dialog
      title={present ? `Limit of ${present.key}` : 'New concurrency key'}
      part="concurrency-key-dialog"
      onClose={onClose}
    >
      <Form onSubmit={action.run}>
        {!present && (
          <Labelled text="Key" hint="crm, or crm.* for each key that begins so">
            <input
              class="field"
              required
              value={name}
              spellcheck={false}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </Labelled>
        )}
        <Labelled text="At a time" hint="1 to 100 executions">
          <input
            class="field"
            type="number"
            min={1}
            max={100}
            required
            value={limit}
            onInput={(event) => setLimit(event.currentTarget.value)}
          />
        </Labelled>
        <p class="quiet">What runs goes on. A lower limit lets nothing new begin until fewer run.</p>
        <DialogActions submit="Save" disabled={action.isBusy || name.trim() === ''} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** A key that a job uses is deleted by force alone. It then counts as a key with one slot. */
export function DeleteKeyDialog({ keyName, onClose }: { keyName: string; onClose(): void }) {
  const [force, setForce] = useState(false);
  const action = useAction(async () => {
    await call((api) => api.concurrencyKeys.remove(keyName, { force }));
    await refresh('concurrency-keys');
    onClose();
    return `${keyName} is deleted.`;
  });
  return (
    <Dialog title={`Delete ${keyName}?`} part="delete-concurrency-key" onClose={onClose}>
      <Form onSubmit={action.run}>
        <label class="check">
          <input
            type="checkbox"
            checked={force}
            onChange={(event) => setForce(event.currentTarget.checked)}
          />
          Even if jobs use it. It then has one slot until it is created again.
        </label>
        <DialogActions submit="Delete" danger disabled={action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
