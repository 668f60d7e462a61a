import { useState } from 'preact/hooks';

import type { Waiting as Waits } from '../../../client/browser';
import { MOST_WAITING } from '../../api/waiting';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Card } from '../../parts/card';
import { Instant, Since } from '../../parts/instant';
import { Mark } from '../../parts/status-mark';
import { count } from '../../time/format';

const FIRST = 6;

/** Approvals and paused runs, each with the page on which a user decides. */
export function Waiting({ items }: { items: readonly Waits[] }) {
  const [isAll, setAll] = useState(false);
  const number = `${count(items.length)}${items.length >= MOST_WAITING ? ' and more' : ''}`;
  return (
    <Card part="waiting" title="Waits for a user" more={number} flush class="waits">
      <ol class="lines">
        {(isAll ? items : items.slice(0, FIRST)).map((one) => (
          <Row key={`${one.jobId} ${one.execId} ${one.taskId}`} one={one} />
        ))}
      </ol>
      {items.length > FIRST && (
        <p class="in">
          <button type="button" class="btn small" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Show fewer' : `Show all ${number}`}
          </button>
        </p>
      )}
    </Card>
  );
}

const Row = ({ one: { kind, jobId, execId, taskId, since, until, note } }: { one: Waits }) => (
  <li>
    <Mark status={kind} text={kind === 'held' ? 'paused run' : 'approval'} />
    <Go
      to={`${paths.execution(jobId, execId)}${taskId === null ? '' : `?task=${encodeURIComponent(taskId)}`}`}
    >
      {jobId}
      {taskId !== null && ` / ${taskId}`}
    </Go>
    {note && <span class="note-text">{note}</span>}
    <span class="quiet">
      for <Since at={since} />
      {until && (
        <>
          , until <Instant at={until} />
        </>
      )}
    </span>
  </li>
);
