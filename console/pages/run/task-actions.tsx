import { useState } from 'preact/hooks';

import type { Execution, TaskDetail } from '../../../client/browser';
import { useCan } from '../../api/project';
import { useShortcuts } from '../../app/shortcuts';
import type { ShownTask } from '../../editor/workflow-boxes';
import { type Allowed, allowedFor, branchesOf } from './allowed';
import { ApproveDialog, CancelTaskDialog, RejectDialog, RetryTaskDialog, SkipDialog } from './task-dialogs';

interface TaskActionsProps {
  execution: Execution;
  task: TaskDetail;
  definition: ShownTask | undefined;
  hasApproval: boolean;
}

type Asked = 'approve' | 'reject' | 'skip' | 'retry' | 'cancel';

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
      <Buttons allowed={allowed} ask={setAsked} />
      {asked === 'approve' && <ApproveDialog {...shared} />}
      {asked === 'reject' && <RejectDialog {...shared} />}
      {asked === 'skip' && <SkipDialog {...shared} branches={branches} />}
      {asked === 'retry' && <RetryTaskDialog {...shared} modes={allowed.retry} />}
      {asked === 'cancel' && <CancelTaskDialog {...shared} />}
    </div>
  );
}

const hasAny = ({ decide, cancel, skip, retry }: Allowed): boolean =>
  decide || cancel || skip || retry.length > 0;

interface ButtonsProps {
  allowed: Allowed;
  ask(what: Asked): void;
}

function Buttons({ allowed, ask }: ButtonsProps) {
  const { decide, cancel, skip, retry } = allowed;
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
      {cancel && (
        <button type="button" class="btn small" onClick={() => ask('cancel')}>
          Cancel the task…
        </button>
      )}
    </p>
  );
}
