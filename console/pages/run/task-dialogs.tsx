import { useState } from 'preact/hooks';

import { type Execution, isTerminal, type TaskDetail } from '../../../client/browser';
import { call } from '../../api/client';
import { refreshRun } from '../../api/runs';
import { AskDialog, Choices } from '../../parts/dialog';
import { JsonField, jsonProblem } from '../../parts/json-field';
import type { TaskRetryMode } from './allowed';

interface TaskDialogProps {
  execution: Execution;
  task: TaskDetail;
  onClose(): void;
}

export function ApproveDialog({ execution: { jobId, execId }, task: { taskId }, onClose }: TaskDialogProps) {
  const [output, setOutput] = useState('');
  return (
    <AskDialog
      title={`Approve “${taskId}”?`}
      part="approve-dialog"
      words="The tasks after it go on. The first decision counts."
      submit="Approve"
      disabled={jsonProblem(output) !== undefined}
      onClose={onClose}
      act={async (comment) => {
        const given = output.trim() ? { output: JSON.parse(output) as unknown } : {};
        await call((api) =>
          api.runs.approve(jobId, execId, taskId, { ...(comment && { comment }), ...given }),
        );
        await refreshRun();
        return `${taskId} is approved.`;
      }}
    >
      <JsonField
        label="Output for the tasks after it"
        hint="JSON of up to 32 KB; may be empty"
        value={output}
        onChange={setOutput}
        rows={3}
      />
    </AskDialog>
  );
}

export const RejectDialog = ({
  execution: { jobId, execId },
  task: { taskId },
  onClose,
}: TaskDialogProps) => (
  <AskDialog
    title={`Reject ${taskId}?`}
    part="reject-dialog"
    words="The task fails with the reason “rejected”. The first decision counts."
    submit="Reject"
    danger
    onClose={onClose}
    act={async (comment) => {
      await call((api) => api.runs.reject(jobId, execId, taskId, { ...(comment && { comment }) }));
      await refreshRun();
      return `${taskId} is rejected.`;
    }}
  />
);

export const CancelTaskDialog = ({
  execution: { jobId, execId },
  task: { taskId },
  onClose,
}: TaskDialogProps) => (
  <AskDialog
    title={`Cancel ${taskId}?`}
    part="cancel-task-dialog"
    words="Its failure counts, and what needs it does not run."
    submit="Cancel the task"
    danger
    onClose={onClose}
    act={async (note) => {
      await call((api) => api.tasks.cancel(jobId, execId, taskId, { note }));
      await refreshRun();
      return `${taskId} is cancelled. Its failure counts.`;
    }}
  />
);

interface SkipDialogProps extends TaskDialogProps {
  /** The branches of a switch: one of them has to be taken. */
  branches: readonly string[];
}

export function SkipDialog(props: SkipDialogProps) {
  const { execution, task, branches, onClose } = props;
  const { jobId, execId } = execution;
  const { taskId, kind } = task;
  const [branch, setBranch] = useState<string>();
  const isSwitch = kind === 'switch';
  return (
    <AskDialog
      title={`Skip ${taskId}?`}
      part="skip-dialog"
      words={
        kind === 'approval'
          ? 'The tasks after it go on without an approval. The audit log records that you passed it.'
          : 'It does not run. It counts as done, and the tasks after it go on.'
      }
      submit="Skip the task"
      danger
      disabled={isSwitch && branch === undefined}
      onClose={onClose}
      act={async (note) => {
        await call((api) => api.runs.skip(jobId, execId, taskId, { note, ...(branch && { branch }) }));
        await refreshRun();
        return `${taskId} is skipped.`;
      }}
    >
      {isSwitch && (
        <Choices
          label="Branch that it takes"
          value={branch}
          options={branches.map((one) => [one, one] as const)}
          onChange={setBranch}
        />
      )}
    </AskDialog>
  );
}

const MODES: Readonly<Record<TaskRetryMode, string>> = {
  failed: 'What has failed of it, and what follows on it',
  from: 'All of it, and all that follows on it',
  only: 'It alone',
};

interface RetryDialogProps extends TaskDialogProps {
  modes: readonly TaskRetryMode[];
}

/** A task of a run that has ended runs again with the run; one of a running run alone. */
export function RetryTaskDialog({ execution, task: { taskId }, modes, onClose }: RetryDialogProps) {
  const { jobId, execId } = execution;
  const [mode, setMode] = useState(modes[0]!);
  const hasEnded = isTerminal(execution);
  return (
    <AskDialog
      title={`Retry ${taskId}?`}
      part="retry-task-dialog"
      words={`${hasEnded ? 'The run starts again. ' : ''}What it did before stays on record, in its round.`}
      submit="Retry"
      onClose={onClose}
      act={async (note) => {
        await call<unknown>((api) =>
          hasEnded
            ? api.executions.retry(jobId, execId, { mode, tasks: [taskId], note })
            : api.runs.retryTask(jobId, execId, taskId, { mode, note }),
        );
        await refreshRun();
        return `${taskId} runs again.`;
      }}
    >
      <Choices
        label="What runs again"
        value={mode}
        options={modes.map((one) => [one, MODES[one]] as const)}
        onChange={(one) => setMode(one)}
      />
    </AskDialog>
  );
}
