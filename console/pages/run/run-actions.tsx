import { useState } from 'preact/hooks';

import { type Execution, isTerminal } from '../../../client/browser';
import { call } from '../../api/client';
import { useJob } from '../../api/jobs';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { useGo } from '../../app/go';
import { useShortcuts } from '../../app/shortcuts';
import { useAction } from '../../parts/action';
import { CopyButton } from '../../parts/copy';
import { Dialog, DialogActions } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { RunDialog } from '../job/dialogs';

/** Run it again, or cancel it. A run that has begun is not retried: the workflow runs anew. */
export function RunActions({ execution }: { execution: Execution }) {
  const { jobId } = execution;
  const { data: job } = useJob(jobId);
  const [asked, setAsked] = useState<'run' | 'cancel'>();
  const can = useCan();
  const go = useGo();
  const mayRun = Boolean(job) && can('runs:operate');
  const mayCancel = can('runs:operate') && !isTerminal(execution);
  const close = () => setAsked(undefined);
  useShortcuts(mayRun ? [{ keys: 'r', words: 'Run it again…', run: () => setAsked('run') }] : []);
  return (
    <>
      {mayRun && (
        <button type="button" class="btn" onClick={() => setAsked('run')}>
          <Icon name="run" /> Run again…
        </button>
      )}
      {mayCancel && (
        <button type="button" class="btn bare danger" onClick={() => setAsked('cancel')}>
          Cancel the run…
        </button>
      )}
      <CopyButton text={() => location.href} small={false}>
        Copy link
      </CopyButton>
      {asked === 'run' && job && (
        <RunDialog job={job} onClose={close} onRun={(execId) => go(paths.execution(jobId, execId))} />
      )}
      {asked === 'cancel' && <CancelRunDialog execution={execution} onClose={close} />}
    </>
  );
}

function CancelRunDialog({
  execution: { jobId, execId },
  onClose,
}: {
  execution: Execution;
  onClose(): void;
}) {
  const [note, setNote] = useState('');
  const [force, setForce] = useState(false);
  const action = useAction(async () => {
    await call((api) => api.executions.cancel(jobId, execId, { force, note: note.trim() || undefined }));
    await Promise.all([refresh('execution'), refresh('tasks'), refresh('task')]);
    onClose();
    return 'The run is stopping.';
  });
  return (
    <Dialog title="Cancel this run?" part="cancel-run-dialog" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <p class="second">
          Nothing new begins. What is being called sees the request at its next heartbeat. The schedule stays.
        </p>
        <label class="check">
          <input
            type="checkbox"
            checked={force}
            onChange={(event) => setForce(event.currentTarget.checked)}
          />
          Leave out the tasks that run at the end, too
        </label>
        <label class="labelled">
          Why?
          <input
            class="field"
            maxLength={500}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
        <DialogActions submit="Cancel the run" danger disabled={action.isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
