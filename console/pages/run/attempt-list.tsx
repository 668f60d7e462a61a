import type { TaskDetail } from '../../../client/browser';
import { Instant } from '../../parts/instant';
import { attemptText } from '../../parts/reason';
import { Mark } from '../../parts/status-mark';
import { Table } from '../../parts/table';
import { duration } from '../../time/format';

interface AttemptListProps {
  attempts: TaskDetail['attemptList'];
  part: string;
  /** Whose attempts: `the task`. */
  of: string;
}

/** The ended attempts of a task or of an item, in their order. */
export const AttemptList = ({ attempts, part, of }: AttemptListProps) => (
  <div data-part={part}>
    <h3>Attempts</h3>
    <Table
      label={`Attempts of ${of}`}
      class="tight"
      heads={['Attempt', 'Started', ['Took', 'num'], 'Response']}
    >
      {attempts.map((attempt, index) => (
        <tr key={index}>
          <td>
            <Mark
              status={attempt.outcome === 'succeeded' ? 'succeeded' : 'failed'}
              text={attempt.outcome}
              bare
            />{' '}
            {attempt.attempt}
          </td>
          <td>
            <Instant at={attempt.startedAt} show="sec" />
          </td>
          <td class="num">
            {duration(Math.max(0, Date.parse(attempt.finishedAt) - Date.parse(attempt.startedAt)))}
          </td>
          <td class="prose">{attemptText(attempt)}</td>
        </tr>
      ))}
    </Table>
  </div>
);
