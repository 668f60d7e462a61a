import { type Backfill, type Execution, isTerminal } from '../../../client/browser';
import { useBackfill } from '../../api/backfills';
import { Card, Title } from '../../parts/card';
import { CountsBar } from '../../parts/counts-bar';
import { Instant, Relative } from '../../parts/instant';
import { reasonText } from '../../parts/reason';
import { Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { AFTER_FAILURE, OVERLAPS, wordsFor } from '../../parts/words';
import { plural } from '../../time/format';
import { Items } from './items';
import { RunActions } from './run-actions';

/** A run of a backfill: its range and settings, how far it is, and each date. */
export function BackfillRun({ execution }: { execution: Execution }) {
  const backfill = useBackfill(execution);
  return (
    <Loaded query={backfill} height={640}>
      {(found) => (
        <>
          <Title sub={<Story backfill={found} />} actions={<RunActions execution={execution} />}>
            Backfill, <Instant at={found.from} show="date" /> to <Instant at={found.to} show="date" />{' '}
            <Mark status={execution.status} size={18} />
            {found.heldAt && <Mark status="held" text="paused" size={18} />}
          </Title>
          <DatesCard execution={execution} backfill={found} />
        </>
      )}
    </Loaded>
  );
}

/** `28 dates · 3 at once · oldest first · only missing · …`, in the words of the API. */
function Story({ backfill }: { backfill: Backfill }) {
  const { count, parallel, order, only, onFailure, overlap, priority, reason, by, finishedAt } = backfill;
  const parts = [
    plural(count, 'date'),
    `${parallel} at once`,
    order === 'asc' ? 'oldest first' : 'newest first',
    only === 'missing' && 'only missing',
    `after a failure: ${wordsFor(AFTER_FAILURE, onFailure)}`,
    `overlap: ${wordsFor(OVERLAPS, overlap)}`,
    `priority ${priority}`,
    by && `by ${by.name ?? by.sub}`,
    reason && reasonText(reason),
  ].filter(Boolean);
  return (
    <>
      {parts.join(' · ')}
      {isTerminal(backfill) && finishedAt && (
        <>
          {' '}
          · ended <Relative at={finishedAt} />
        </>
      )}
    </>
  );
}

function DatesCard({ execution, backfill: { items, taskId } }: { execution: Execution; backfill: Backfill }) {
  return (
    <Card part="dates" title="Dates">
      <CountsBar counts={items} />
      {execution.workflow && <Items execution={execution} taskId={taskId} counts={null} isDates />}
    </Card>
  );
}
