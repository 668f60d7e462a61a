import type { Execution } from '../../../client/browser';
import { useFailureGroups } from '../../api/failures';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Note } from '../../parts/card';
import { causeOf } from '../../parts/cause';
import { Icon } from '../../parts/icons';
import { plural } from '../../time/format';

/** Whether other executions failed the same way in the last day: one cause, or many. */
export function SameAnswer({ execution }: { execution: Execution }) {
  const { data } = useFailureGroups();
  if (execution.status !== 'failed' || !data) return null;
  const cause = causeOf(execution);
  const group = data.groups.find(({ fingerprint }) => fingerprint === cause);
  if (!group || group.count < 2) return null;
  return (
    <Note tone="bad" icon={<Icon name="failures" />}>
      <span data-part="same-answer">
        <strong>Others failed the same way:</strong> {group.countIs === 'at-least' && 'at least '}
        {plural(group.count, 'execution')} of {plural(group.jobs, 'job')} in the last 24 hours.{' '}
        <Go to={paths.cause(cause)}>Open them together</Go>
      </span>
    </Note>
  );
}
