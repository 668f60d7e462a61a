import { type Execution, isTerminal } from '../../../client/browser';
import { Card } from '../../parts/card';
import { Instant } from '../../parts/instant';
import { attemptText } from '../../parts/reason';
import { isRetriedBefore } from '../../parts/took';
import { Mark, type Status } from '../../parts/status-mark';
import { Table } from '../../parts/table';
import { duration } from '../../time/format';
import { ErrandLinks, ErrandSteps } from './errand-fact';

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

/** What the timeline shows, in words. */
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
            <>
              {isRetriedBefore(attempts, index) && (
                <RetriedRow execution={execution} index={index} columns={several ? 8 : 7} />
              )}
              <Row
                key={index}
                attempt={attempt}
                next={nextInLife(attempts, index)}
                isLast={isTerminal(execution) || isFollowedByRetry(attempts, index)}
                several={several}
              />
            </>
          ))}
        </Table>
      )}
    </Card>
  );
}

/** The next attempt at the same target, before a user retries the execution. */
function nextInLife(attempts: readonly Attempt[], index: number): Attempt | undefined {
  const rest = attempts.slice(index + 1);
  const end = rest.findIndex((_, offset) => isRetriedBefore(attempts, index + 1 + offset));
  return rest.slice(0, end < 0 ? undefined : end).find(({ target }) => target === attempts[index]!.target);
}

const isFollowedByRetry = (attempts: readonly Attempt[], index: number): boolean =>
  attempts.some((_, later) => later > index && isRetriedBefore(attempts, later));

interface RetriedRowProps {
  execution: Execution;
  /** The first attempt after the retry. */
  index: number;
  columns: number;
}

/** Between an end and the retry that undid it. An execution knows who made its last retry. */
function RetriedRow({ execution: { attempts, by }, index, columns }: RetriedRowProps) {
  const who = isFollowedByRetry(attempts, index) ? 'a user' : (by?.name ?? by?.sub ?? 'a user');
  const pauseMs = Date.parse(attempts[index]!.startedAt) - Date.parse(attempts[index - 1]!.finishedAt);
  return (
    <tr class="retried">
      <td colSpan={columns} class="quiet">
        Retried by {who}, {duration(Math.max(0, pauseMs))} after it had ended
      </td>
    </tr>
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
  const { attempt: number, fence, target, startedAt, finishedAt, outcome, late, worker, errand } = attempt;
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
        {errand && <ErrandLinks {...errand} />}
        {errand?.steps && <ErrandSteps steps={errand.steps} />}
      </td>
      <td class="quiet">
        {next ? duration(Math.max(0, Date.parse(next.startedAt) - endedMs)) : isLast ? 'none left' : ''}
      </td>
    </tr>
  );
}
