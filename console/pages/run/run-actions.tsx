import { useState } from 'preact/hooks';

import { type Execution, isTerminal } from '../../../client/browser';
import { isBackfill } from '../../api/backfills';
import { call } from '../../api/client';
import { useJob } from '../../api/jobs';
import { useCan } from '../../api/project';
import { refreshRun } from '../../api/runs';
import { paths } from '../../app/address';
import { useGo } from '../../app/go';
import { useShortcuts } from '../../app/shortcuts';
import { useAction } from '../../parts/action';
import { CopyButton } from '../../parts/copy';
import { AskDialog, Choices } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { RunDialog } from '../job/dialogs';

type Asked = 'run' | 'retry' | 'pause' | 'cancel';

/** Run the workflow anew, retry, pause or resume the run, cancel it. A backfill is not run anew. */
export function RunActions({ execution }: { execution: Execution }) {
  const { jobId, status, workflow } = execution;
  const { data: job } = useJob(jobId);
  const [asked, setAsked] = useState<Asked>();
  const may = useCan()('runs:operate');
  const go = useGo();
  const hasEnded = isTerminal(execution);
  const mayRun = Boolean(job) && may && !isBackfill(execution);
  const mayRetry = Boolean(job) && may && (status === 'failed' || status === 'cancelled');
  const close = () => setAsked(undefined);
  useShortcuts(mayRun ? [{ keys: 'r', words: 'Run it again…', run: () => setAsked('run') }] : []);
  return (
    <>
      {mayRetry && (
        <button type="button" class="btn first" onClick={() => setAsked('retry')}>
          <Icon name="retry" /> Retry…
        </button>
      )}
      {may && !hasEnded && workflow && !workflow.stopping && (
        <PauseButton execution={execution} onPause={() => setAsked('pause')} />
      )}
      {mayRun && (
        <button type="button" class="btn" onClick={() => setAsked('run')}>
          <Icon name="run" /> Run again…
        </button>
      )}
      {may && !hasEnded && (
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
      {asked === 'retry' && <RetryRunDialog execution={execution} onClose={close} />}
      {asked === 'pause' && <PauseRunDialog execution={execution} onClose={close} />}
      {asked === 'cancel' && <CancelRunDialog execution={execution} onClose={close} />}
    </>
  );
}

/** Pauses or resumes the run: one button, so that the focus stays. */
function PauseButton({
  execution: { jobId, execId, workflow },
  onPause,
}: {
  execution: Execution;
  onPause(): void;
}) {
  const isPaused = workflow?.phase === 'held';
  const resume = useAction(async () => {
    await call((api) => api.runs.resume(jobId, execId));
    await refreshRun();
    return 'The run goes on.';
  });
  const toggle = () => (isPaused ? void resume.run() : onPause());
  useShortcuts([{ keys: 'p', words: isPaused ? 'Resume the run' : 'Pause the run…', run: toggle }]);
  return (
    <button type="button" class={isPaused ? 'btn first' : 'btn'} aria-busy={resume.isBusy} onClick={toggle}>
      <Icon name={isPaused ? 'clock' : 'pause'} /> {isPaused ? 'Resume' : 'Pause…'}
    </button>
  );
}

interface RunDialogProps {
  execution: Execution;
  onClose(): void;
}

const PauseRunDialog = ({ execution, onClose }: RunDialogProps) => (
  <AskDialog
    title="Pause this run?"
    part="pause-run-dialog"
    words={`No ${isBackfill(execution) ? 'date' : 'task'} of it begins until it is resumed. What is being called finishes. The end of its time moves.`}
    submit="Pause the run"
    onClose={onClose}
    act={async (note) => {
      await call((api) => api.runs.pause(execution.jobId, execution.execId, { note }));
      await refreshRun();
      return 'The run is paused.';
    }}
  />
);

function RetryRunDialog({ execution, onClose }: RunDialogProps) {
  const { jobId, execId } = execution;
  const isDates = isBackfill(execution);
  const [mode, setMode] = useState<'failed' | 'all'>('failed');
  const [isCurrent, setCurrent] = useState(false);
  return (
    <AskDialog
      title="Retry this run?"
      part="retry-run-dialog"
      words={
        isDates
          ? 'The dates run again that have not succeeded. The others stay as they are.'
          : 'The run starts again. What its tasks did before stays on record, in its round.'
      }
      submit="Retry the run"
      onClose={onClose}
      act={async (note) => {
        const definition = isCurrent ? 'current' : 'started';
        await call((api) => api.executions.retry(jobId, execId, { mode, definition, note }));
        await refreshRun();
        return 'The run starts again.';
      }}
    >
      {!isDates && (
        <>
          <Choices
            label="What runs again"
            value={mode}
            options={[
              ['failed', 'What has failed or was cancelled, and what follows on it'],
              ['all', 'All tasks'],
            ]}
            onChange={(one) => setMode(one)}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={isCurrent}
              onChange={(event) => setCurrent(event.currentTarget.checked)}
            />
            With the workflow that the job has now
          </label>
        </>
      )}
    </AskDialog>
  );
}

function CancelRunDialog({ execution, onClose }: RunDialogProps) {
  const { jobId, execId } = execution;
  const isDates = isBackfill(execution);
  const [force, setForce] = useState(false);
  return (
    <AskDialog
      title="Cancel this run?"
      part="cancel-run-dialog"
      words={
        isDates
          ? 'No further date begins, and those that run are cancelled. The schedule stays.'
          : 'Nothing new begins. What is being called sees the request at its next heartbeat. The schedule stays.'
      }
      submit="Cancel the run"
      danger
      onClose={onClose}
      act={async (note) => {
        await call((api) => api.executions.cancel(jobId, execId, { force, note }));
        await refreshRun();
        return 'The run is stopping.';
      }}
    >
      {!isDates && (
        <label class="check">
          <input
            type="checkbox"
            checked={force}
            onChange={(event) => setForce(event.currentTarget.checked)}
          />
          Leave out the tasks that run at the end, too
        </label>
      )}
    </AskDialog>
  );
}
