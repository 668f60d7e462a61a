import type { Execution } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { useAction } from '../../parts/action';
import { Icon } from '../../parts/icons';
import { OutcomeCells } from '../../parts/execution-cells';
import { Instant, Relative } from '../../parts/instant';
import { Mark } from '../../parts/status-mark';

/** What can run again, by its user. */
const RUNNABLE = ['failed', 'cancelled', 'skipped'];

interface LedgerRowProps {
  execution: Execution;
  isHere: boolean;
  /** A deleted job cannot run. */
  canRun: boolean;
}

export function LedgerRow({ execution, isHere, canRun }: LedgerRowProps) {
  const { jobId, execId, dueAt, status } = execution;
  const can = useCan();
  return (
    <tr class={isHere ? 'here' : undefined}>
      <td>
        <Go to={paths.execution(jobId, execId)}>
          <Instant at={dueAt} />
        </Go>
      </td>
      <OutcomeCells execution={execution} />
      <td class="num">
        {canRun && RUNNABLE.includes(status) && can('runs:operate') && <RunAgain execution={execution} />}
      </td>
    </tr>
  );
}

function RunAgain({ execution: { jobId, execId, dueAt } }: { execution: Execution }) {
  const action = useAction(async () => {
    await call((api) => api.executions.retry(jobId, execId));
    await refresh('ledger');
    return 'It runs again.';
  });
  return (
    <button
      type="button"
      class="btn bare small"
      disabled={action.isBusy}
      aria-label={`Run the occurrence of ${dueAt} again`}
      onClick={() => void action.run()}
    >
      <Icon name="retry" size={14} /> Run
    </button>
  );
}

/** The occurrence that comes next. */
export const ScheduledRow = ({ jobId, at }: { jobId: string; at: string }) => (
  <tr class="ahead">
    <td>
      <Go to={paths.job(jobId, 'schedule')}>
        <Instant at={at} />
      </Go>
    </td>
    <td>
      <Mark status="scheduled" />
    </td>
    <td class="quiet" colSpan={4}>
      <Relative at={at} />
    </td>
  </tr>
);
