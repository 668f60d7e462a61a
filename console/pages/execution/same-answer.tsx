import type { Execution } from '../../../client/browser';
import { useFailures } from '../../api/failures';
import { Go } from '../../app/go';
import { Note } from '../../parts/card';
import { causeOf } from '../../parts/cause';
import { Icon } from '../../parts/icons';
import { plural } from '../../time/format';

/** Whether other executions failed the same way in the last day: one cause, or many. */
export function SameAnswer({ execution }: { execution: Execution }) {
  const { data } = useFailures();
  if (execution.status !== 'failed' || !data) return null;
  const cause = causeOf(execution);
  const others = data.items.filter((one) => causeOf(one) === cause && one.execId !== execution.execId);
  if (others.length === 0) return null;
  const jobs = new Set(others.map(({ jobId }) => jobId)).size;
  return (
    <Note tone="bad" icon={<Icon name="failures" />}>
      <span data-part="same-answer">
        <strong>Others failed the same way:</strong> {plural(others.length, 'execution')} of{' '}
        {plural(jobs, 'job')} in the last 24 hours.{' '}
        <Go to={`/failures?group=${encodeURIComponent(cause)}`}>Open them together</Go>
      </span>
    </Note>
  );
}
