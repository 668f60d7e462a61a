import { useState } from 'preact/hooks';

import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { Labelled } from '../../parts/labelled';
import { useAction } from '../../parts/action';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { plural } from '../../time/format';

interface StopDialogProps {
  /** The reader types it. */
  stage: string;
  onClose(): void;
}

/** Enters maintenance mode. */
export function StopDialog({ stage, onClose }: StopDialogProps) {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const action = useAction(async () => {
    await call((api) => api.admin.stop(reason.trim() ? { reason: reason.trim() } : {}));
    await refresh('deployment');
    onClose();
    return 'The deployment is in maintenance mode.';
  });
  return (
    <Dialog title="Stop the deployment?" part="stop-dialog" onClose={onClose}>
      <Form onSubmit={action.run}>
        <p>Nothing is sent and nothing is claimed, for all projects, until it is started again.</p>
        <Labelled text="Why?" hint="shown with the stop">
          <input class="field" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </Labelled>
        <Labelled text={`Type ${stage} to confirm`}>
          <input class="field" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </Labelled>
        <DialogActions submit="Stop" danger disabled={action.isBusy || typed !== stage} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Leaves maintenance mode. */
export function StartDialog({ onClose }: { onClose(): void }) {
  const action = useAction(async () => {
    await call((api) => api.admin.start());
    await refresh('deployment');
    onClose();
    return 'The deployment is started.';
  });
  return (
    <Dialog title="Start the deployment?" part="start-dialog" onClose={onClose}>
      <Form onSubmit={action.run}>
        <p>What fell due meanwhile follows the misfire policy of its job.</p>
        <DialogActions submit="Start" disabled={action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface RedriveDialogProps {
  queue: string;
  dead: number;
  onClose(): void;
}

const MOST = 1_000;

/** Moves dead letters back to their queue. */
export function RedriveDialog({ queue, dead, onClose }: RedriveDialogProps) {
  const most = Math.min(dead, MOST);
  const action = useAction(async () => {
    const moved = await call((api) => api.admin.redrive(queue, most));
    await refresh('deployment');
    onClose();
    return `${plural(moved, 'message')} moved back to ${queue}.`;
  });
  return (
    <Dialog
      title={`Move ${plural(most, 'message')} back to ${queue}?`}
      part="redrive-dialog"
      onClose={onClose}
    >
      <Form onSubmit={action.run}>
        <p>Each is processed again. A message that fails again comes back here.</p>
        <DialogActions submit="Move back" disabled={action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
