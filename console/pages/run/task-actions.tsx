import { useState } from 'preact/hooks';

import type { Execution, TaskDetail } from '../../../client/browser';
import { call } from '../../api/client';
import { useCan } from '../../api/project';
import { refreshRun } from '../../api/runs';
import { useShortcuts } from '../../app/shortcuts';
import type { ShownTask } from '../../editor/workflow-boxes';
import { useAction } from '../../parts/action';
import { type Allowed, allowedFor, branchesOf } from './allowed';
import { ApproveDialog, RejectDialog, RetryTaskDialog, SkipDialog } from './task-dialogs';

interface TaskActionsProps {
  execution: Execution;
  task: TaskDetail;
  definition: ShownTask | undefined;
  hasApproval: boolean;
}

type Asked = 'approve' | 'reject' | 'skip' | 'retry';

/** What can be done to a task: decide on an approval, cancel, skip, retry. */
export function TaskActions({ execution, task, definition, hasApproval }: TaskActionsProps) {
  const can = useCan();
  const [asked, setAsked] = useState<Asked>();
  const allowed = allowedFor({ execution, task, hasApproval, can });
  useShortcuts(allowed.decide ? [{ keys: 'a', words: 'Approve…', run: () => setAsked('approve') }] : []);
  const shared = { execution, task, onClose: () => setAsked(undefined) };
  const branches = definition ? branchesOf(definition) : [];
  if (!hasAny(allowed) && asked === undefined) return null;
  return (
    <div data-part="task-actions" tabIndex={-1} role="group" aria-label="Actions on the task">
      <Buttons execution={execution} task={task} allowed={allowed} ask={setAsked} />
      {asked === 'approve' && <ApproveDialog {...shared} />}
      {asked === 'reject' && <RejectDialog {...shared} />}
      {asked === 'skip' && <SkipDialog {...shared} branches={branches} />}
      {asked === 'retry' && <RetryTaskDialog {...shared} modes={allowed.retry} />}
    </div>
  );
}

const hasAny = ({ decide, cancel, skip, retry }: Allowed): boolean =>
  decide || cancel || skip || retry.length > 0;

interface ButtonsProps {
  execution: Execution;
  task: TaskDetail;
  allowed: Allowed;
  ask(what: Asked): void;
}

function Buttons({ execution: { jobId, execId }, task: { taskId }, allowed, ask }: ButtonsProps) {
  const cancel = useAction(async () => {
    await call((api) => api.tasks.cancel(jobId, execId, taskId));
    await refreshRun();
    return `${taskId} is cancelled. Its failure counts.`;
  });
  const { decide, skip, retry } = allowed;
  if (!hasAny(allowed)) return null;
  return (
    <p class="acts">
      {decide && (
        <>
          <button type="button" class="btn small first" onClick={() => ask('approve')}>
            Approve…
          </button>
          <button type="button" class="btn small danger" onClick={() => ask('reject')}>
            Reject…
          </button>
        </>
      )}
      {retry.length > 0 && (
        <button type="button" class="btn small" onClick={() => ask('retry')}>
          Retry the task…
        </button>
      )}
      {skip && (
        <button type="button" class="btn small" onClick={() => ask('skip')}>
          Skip the task…
        </button>
      )}
      {allowed.cancel && (
        <button type="button" class="btn small" disabled={cancel.isBusy} onClick={() => void cancel.run()}>
          Cancel the task
        </button>
      )}
    </p>
  );
}
