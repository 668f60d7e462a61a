import { useState } from 'preact/hooks';

import { type Execution, isTerminal } from '../../../client/browser';
import { call } from '../../api/client';
import { useJob } from '../../api/jobs';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { useShortcuts } from '../../app/shortcuts';
import { useAction } from '../../parts/action';
import { CopyButton } from '../../parts/copy';
import { AskDialog, Dialog, DialogActions, Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { jsonProblem } from '../../parts/json-field';
import { PayloadForm } from '../../parts/payload-form';

/** Retry, retry with another payload, cancel. */
export function ExecutionActions({ execution, canRun }: { execution: Execution; canRun: boolean }) {
  const { jobId, execId, status, reason } = execution;
  const [asked, setAsked] = useState<'payload' | 'cancel'>();
  const can = useCan();
  const mayRetry = canRun && can('runs:operate') && ['failed', 'cancelled', 'skipped'].includes(status);
  const mayCancel = can('runs:operate') && !isTerminal(execution) && status !== 'scheduled';
  const retry = useAction(async () => {
    await call((api) => api.executions.retry(jobId, execId));
    await refresh('execution');
    return 'It runs again.';
  });
  const close = () => setAsked(undefined);
  useShortcuts(mayRetry ? [{ keys: 'r', words: 'Retry', run: () => void retry.run() }] : []);
  return (
    <>
      {mayRetry && (
        <>
          <button
            type="button"
            class={reason === 'fatal' ? 'btn' : 'btn first'} // a retry alone does not cure it
            disabled={retry.isBusy}
            onClick={() => void retry.run()}
          >
            <Icon name="retry" /> Retry
          </button>
          <button type="button" class="btn" onClick={() => setAsked('payload')}>
            Retry with another payload…
          </button>
        </>
      )}
      {mayCancel && (
        <button type="button" class="btn" onClick={() => setAsked('cancel')}>
          Cancel…
        </button>
      )}
      <CopyButton text={() => location.href} small={false}>
        Copy link
      </CopyButton>
      {asked === 'payload' && <PayloadDialog execution={execution} onClose={close} />}
      {asked === 'cancel' && <CancelDialog execution={execution} onClose={close} />}
    </>
  );
}

function PayloadDialog({ execution: { jobId, execId }, onClose }: { execution: Execution; onClose(): void }) {
  const { data: job } = useJob(jobId);
  const [text, setText] = useState(() => JSON.stringify(job?.payload ?? null, null, 2));
  const action = useAction(async () => {
    const payload: unknown = text.trim() ? JSON.parse(text) : null;
    await call((api) => api.executions.retry(jobId, execId, { payload }));
    await refresh('execution');
    onClose();
    return 'It runs again, with this payload.';
  });
  return (
    <Dialog title="Retry with another payload" part="payload-dialog" onClose={onClose}>
      <Form onSubmit={action.run}>
        <PayloadForm
          label="Payload"
          schema={job?.payloadSchema}
          hint="for this execution alone; it begins as the job has it now"
          value={text}
          onChange={setText}
          rows={10}
        />
        <DialogActions
          submit="Retry"
          disabled={action.isBusy || jsonProblem(text) !== undefined}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

function CancelDialog({ execution, onClose }: { execution: Execution; onClose(): void }) {
  const { jobId, execId, status } = execution;
  const isRunning = status === 'running';
  return (
    <AskDialog
      title="Cancel this execution?"
      part="cancel-dialog"
      words={
        execution.errand
          ? 'Its work at AWS is stopped. It ends once that has been seen, within a minute.'
          : isRunning
            ? 'The running attempt sees the request at its next heartbeat, within some seconds.'
            : 'It does not run. The schedule stays as it is.'
      }
      submit="Cancel the execution"
      onClose={onClose}
      act={async (note) => {
        await call((api) => api.executions.cancel(jobId, execId, { note }));
        await refresh('execution');
        return isRunning ? 'Its cancellation is requested.' : 'It is cancelled.';
      }}
    />
  );
}
