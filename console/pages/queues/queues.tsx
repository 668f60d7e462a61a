import { useRef } from 'preact/hooks';

import type { Execution, WorkQueue } from '../../../client/browser';
import { isKnown } from '../../api/polling';
import { ofQueue, useAtWork, useWorkQueues } from '../../api/work';
import { useQueryValues } from '../../app/go';
import { Card, Title } from '../../parts/card';
import { Since } from '../../parts/instant';
import { Empty, Loaded, Skeleton } from '../../parts/states';
import { Table } from '../../parts/table';
import { count } from '../../time/format';
import { QueueCard, Workers } from './queue-card';

/** The work queues of the project: what waits in each, what workers have, and who has asked for work. */
export default function Queues() {
  const { query, put } = useQueryValues();
  const queues = useWorkQueues(true);
  const atWork = useAtWork();
  // Another queue that becomes busier does not take the place of the one that is read.
  const first = useRef<string>();
  if (queues.data && isKnown(atWork)) first.current ??= busiestOf(queues.data, atWork.data ?? [])?.queue;
  const chosen = query.get('queue') ?? first.current;
  return (
    <>
      <Title sub="A worker job waits in its queue until a worker asks for it.">Workers and queues</Title>
      <Loaded query={queues} height={280}>
        {(items) =>
          items.length === 0 ? (
            <Card part="work-queues" flush>
              <NoQueue />
            </Card>
          ) : (
            <div class="stack">
              <Card part="work-queues" title="Queues" flush>
                <QueueTable
                  queues={items}
                  atWork={atWork.data}
                  chosen={chosen}
                  onChoose={(queue) => put({ queue })}
                />
              </Card>
              {items.length > 1 && (
                <Card part="all-workers" title="Workers of all queues" more="of the last hour" flush>
                  <Workers queues={items} running={atWork.data ?? []} />
                </Card>
              )}
              {chosen === undefined ? (
                <Skeleton height={280} />
              ) : (
                <QueueCard key={chosen} queue={chosen} atWork={atWork} />
              )}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

/** The queue with the most work: what waits in it, and what workers have of it. */
const busiestOf = (queues: readonly WorkQueue[], running: readonly Execution[]): WorkQueue | undefined =>
  queues.toSorted((a, b) => workOf(b, running) - workOf(a, running))[0];

const workOf = ({ queue, waiting }: WorkQueue, running: readonly Execution[]): number =>
  waiting + ofQueue(running, queue).length;

const NoQueue = () => (
  <Empty title="No job names a queue.">
    <p>A job whose target is a worker makes its queue. A worker then asks for what is due, and reports.</p>
    <pre class="code">
      {
        '"target": { "type": "worker", "queue": "warehouse" }\n\nnpx @quarterjack/cli work --queue warehouse -- ./load.sh'
      }
    </pre>
  </Empty>
);

interface QueueTableProps {
  queues: readonly WorkQueue[];
  atWork: readonly Execution[] | null | undefined;
  chosen: string | undefined;
  onChoose(queue: string): void;
}

const QueueTable = ({ queues, atWork, chosen, onChoose }: QueueTableProps) => (
  <Table
    label="Table of queues"
    class="queues"
    heads={['Queue', ['Jobs', 'num'], ['Waiting', 'num'], 'The oldest waits', ['At work', 'num']]}
  >
    {queues.map(({ queue, jobs, waiting, waitingIs, oldestOfferedAt }) => (
      <tr key={queue} class={queue === chosen ? 'chosen' : ''}>
        <td>
          <button
            type="button"
            class="link job"
            aria-current={queue === chosen ? 'true' : undefined}
            onClick={() => onChoose(queue)}
          >
            {queue}
          </button>
        </td>
        <td class="num">{count(jobs)}</td>
        <td class="num">
          {waitingIs === 'at-least' && '≥ '}
          {count(waiting)}
        </td>
        <td>{oldestOfferedAt ? <Since at={oldestOfferedAt} /> : <span class="quiet">–</span>}</td>
        <td class="num">{atWork ? count(ofQueue(atWork, queue).length) : '–'}</td>
      </tr>
    ))}
  </Table>
);
