import type { Execution, WorkQueueDetail } from '../../../client/browser';
import type { Polled } from '../../api/polling';
import { ofQueue, useWorkQueue } from '../../api/work';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { now } from '../../app/now';
import { Card, Note } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Instant, Relative, Since } from '../../parts/instant';
import { Empty, Loaded, placed } from '../../parts/states';
import { Table } from '../../parts/table';
import { count, MINUTE_MS, plural } from '../../time/format';
import { workersOf } from './workers';

interface QueueCardProps {
  queue: string;
  /** What workers have of all queues; null: the API does not list it. */
  atWork: Polled<Execution[] | null>;
}

/** One queue: the first of what waits, what is at work with a way to its log, and the workers. */
export function QueueCard({ queue, atWork }: QueueCardProps) {
  const detail = useWorkQueue(queue);
  return (
    <div class="queue-grid">
      <div class="stack">
        <Card part="queue-waiting" title={<>Waits in {queue}</>} flush>
          <Loaded query={detail} height={200}>
            {(found) => (
              <>
                {isUnserved(found) && <Unserved detail={found} />}
                <Waiting detail={found} />
              </>
            )}
          </Loaded>
        </Card>
        <Card part="queue-at-work" title="At work" more="due in the last day" class={placed(detail)} flush>
          <Loaded query={atWork} height={56}>
            {(all) => <AtWork running={all && ofQueue(all, queue)} />}
          </Loaded>
        </Card>
      </div>
      <Card part="workers" title="Workers" more="of the last hour" flush>
        <Loaded query={detail} height={120}>
          {(found) => <Workers queues={[found]} running={ofQueue(atWork.data ?? [], queue)} />}
        </Loaded>
      </Card>
    </div>
  );
}

const isUnserved = ({ waiting, workers }: WorkQueueDetail): boolean => waiting > 0 && workers.length === 0;

const Unserved = ({ detail: { queue, oldestOfferedAt } }: { detail: WorkQueueDetail }) => (
  <div class="in">
    <Note tone="bad" icon={<Icon name="failures" />}>
      No worker with a name has asked for work of <code>{queue}</code> in the last hour
      {oldestOfferedAt && (
        <>
          ; the oldest waits for <Since at={oldestOfferedAt} />
        </>
      )}
      .
    </Note>
  </div>
);

function Waiting({ detail: { waiting, waitingIs, first } }: { detail: WorkQueueDetail }) {
  if (first.length === 0) return <Empty title="Nothing waits." />;
  return (
    <>
      <Table
        label="Table of what waits"
        class="tight waiting"
        heads={['Job', 'Priority', ['Attempt', 'num'], 'Offered', ['Waits', 'num']]}
      >
        {first.map(({ jobId, execId, taskId, attempt, priority, offeredAt }) => (
          <tr key={jobId + execId + (taskId ?? '')}>
            <td>
              <Go to={paths.execution(jobId, execId) + (taskId ? `?task=${taskId}` : '')} class="job">
                {jobId}
              </Go>
              {taskId && <span class="quiet"> task {taskId}</span>}
            </td>
            <td>{priority}</td>
            <td class="num">{attempt}</td>
            <td>
              <Instant at={offeredAt} show="full" />
            </td>
            <td class="num">
              <Since at={offeredAt} />
            </td>
          </tr>
        ))}
      </Table>
      {waiting > first.length && (
        <p class="more-rows quiet">
          The first {count(first.length)} of {waitingIs === 'at-least' && 'at least '}
          {plural(waiting, 'execution')}.
        </p>
      )}
    </>
  );
}

function AtWork({ running }: { running: readonly Execution[] | null }) {
  if (running === null)
    return <p class="in quiet">Not listed: the API lists the executions of up to 500 worker jobs.</p>;
  if (running.length === 0) return <Empty title="No worker has any of its work." />;
  return (
    <ul class="lines">
      {running.map(({ jobId, execId, startedAt, heartbeatAt, detail }) => (
        <li key={jobId + execId}>
          <Go to={paths.execution(jobId, execId)} class="job">
            {jobId}
          </Go>
          <span class="quiet">
            {startedAt && (
              <>
                for <Since at={startedAt} />
              </>
            )}
            {heartbeatAt && (
              <>
                , heartbeat <Relative at={heartbeatAt} />
              </>
            )}
            {detail?.worker && `, by ${detail.worker}`}
          </span>
          <Go to={paths.execution(jobId, execId)}>Log</Go>
        </li>
      ))}
    </ul>
  );
}

/** The API notes at most each five minutes that a worker asks. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;

const Seen = ({ at }: { at: string }) =>
  now.value - Date.parse(at) <= SEEN_EVERY_MS + MINUTE_MS ? <>asks for work</> : <Relative at={at} />;

/** When the first of them has started. */
const firstStart = (runs: readonly Execution[]): string =>
  runs.map(({ startedAt, dueAt }) => startedAt ?? dueAt).toSorted()[0]!;

interface WorkersProps {
  queues: Parameters<typeof workersOf>[0];
  /** What workers have of these queues. */
  running: readonly Execution[];
}

/** The workers of one queue, or of several: then with the names of theirs. */
export function Workers({ queues, running }: WorkersProps) {
  const all = workersOf(queues, running);
  if (all.length === 0)
    return (
      <Empty title="No worker with a name.">
        <p>One that runs a command for each execution, and names its host and process:</p>
        <pre class="code">{`npx @quarterjack/cli work --queue ${queues[0]?.queue} -- ./load.sh`}</pre>
      </Empty>
    );
  return (
    <ul class="lines">
      {all.map(({ worker, lastSeenAt, queues: own, runs }) => (
        <li key={worker}>
          <span class="mono cut">{worker}</span>
          {queues.length > 1 && <span class="cut">{[...own].join(', ')}</span>}
          <span class="quiet">
            {runs.length > 0 && (
              <>
                runs {count(runs.length)}
                {queues.length > 1 && (
                  <>
                    {' '}
                    since <Instant at={firstStart(runs)} show="recent" />
                  </>
                )}
              </>
            )}
          </span>
          <span class="quiet">
            {lastSeenAt === undefined ? 'asked over an hour ago' : <Seen at={lastSeenAt} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
