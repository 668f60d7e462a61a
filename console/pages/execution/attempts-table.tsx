import { type Execution, isTerminal } from '../../../client/browser';
import { Card } from '../../parts/card';
import { Instant } from '../../parts/instant';
import { attemptText } from '../../parts/reason';
import { Mark, type Status } from '../../parts/status-mark';
import { Table } from '../../parts/table';
import { duration } from '../../time/format';

type Attempt = Execution['attempts'][number];

const OUTCOMES: Record<Attempt['outcome'], readonly [status: Status, words: string]> = {
  succeeded: ['succeeded', 'succeeded'],
  retriable: ['retrying', 'will retry'],
  fatal: ['failed', 'failed'],
  lost: ['retrying', 'lost'],
  cancelled: ['cancelled', 'cancelled'],
};

interface AttemptsProps {
  execution: Execution;
  maxAttempts: number | undefined;
}

/** The same as the timeline, in words. */
export function Attempts({ execution, maxAttempts }: AttemptsProps) {
  const { attempts, targets } = execution;
  const several = targets.length > 1;
  return (
    <Card part="attempts" title="Attempts" flush more={maxAttempts !== undefined && `at most ${maxAttempts}`}>
      {attempts.length === 0 ? (
        <p class="in quiet">None has ended yet.</p>
      ) : (
        <Table
          label="Table of attempts"
          class="tight attempts"
          heads={[
            'Attempt',
            several && 'Target',
            'Fence',
            'Started',
            ['Took', 'num'],
            'Outcome',
            'Response',
            'Next in',
          ]}
        >
          {attempts.map((attempt, index) => (
            <Row
              key={index}
              attempt={attempt}
              next={attempts.slice(index + 1).find((one) => one.target === attempt.target)}
              isLast={isTerminal(execution)}
              several={several}
            />
          ))}
        </Table>
      )}
    </Card>
  );
}

interface RowProps {
  attempt: Attempt;
  next: Attempt | undefined;
  /** The execution has ended. */
  isLast: boolean;
  several: boolean;
}

function Row({ attempt, next, isLast, several }: RowProps) {
  const { attempt: number, fence, target, startedAt, finishedAt, outcome, late, worker } = attempt;
  const endedMs = Date.parse(finishedAt);
  const [status, words] = OUTCOMES[outcome];
  const isOver = status === 'retrying' && next === undefined && isLast;
  return (
    <tr>
      <td>{number}</td>
      {several && <td>{target}</td>}
      <td>{fence}</td>
      <td>
        <Instant at={startedAt} show="ms" />
      </td>
      <td class="num">{duration(Math.max(0, endedMs - Date.parse(startedAt)))}</td>
      <td>
        <Mark status={isOver ? 'failed' : status} text={isOver ? 'failed' : words} />
      </td>
      <td class="prose">
        {attemptText(attempt)}
        {late && ' (came late)'}
        {worker !== undefined && <span class="quiet"> by {worker}</span>}
      </td>
      <td class="quiet">
        {next ? duration(Math.max(0, Date.parse(next.startedAt) - endedMs)) : isLast ? 'none left' : ''}
      </td>
    </tr>
  );
}
