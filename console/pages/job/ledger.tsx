import { useState } from 'preact/hooks';

import type { Execution, JobWithEtag } from '../../../client/browser';
import { type Ledger as Rows, useLedger } from '../../api/executions';
import { paths } from '../../app/address';
import { useGo, useQueryValues } from '../../app/go';
import { Trends } from '../../app/later-trends';
import { HISTORY_RATIO, HistoryStrip, summary } from '../../draw/history';
import { Card, Segments } from '../../parts/card';
import { HeldRows, useHeldRows } from '../../parts/held-rows';
import { whyOrHow } from '../../parts/reason';
import { tookMs, tookText } from '../../parts/took';
import { useRowKeys } from '../../parts/row-keys';
import { Empty, Loaded, placed } from '../../parts/states';
import { Headings } from '../../parts/table';
import { isRunnable } from '../../parts/target-text';
import { duration, plural } from '../../time/format';
import { LedgerRow, ScheduledRow } from './ledger-row';

const SHOWN = ['all', 'failed', 'skipped', 'manual'] as const;
type Shown = (typeof SHOWN)[number];
const WORDS: Record<Shown, string> = { all: 'All', failed: 'Failed', skipped: 'Skipped', manual: 'By hand' };

/** Every occurrence of a job, skipped ones and their reasons included. */
export function Ledger({ jobId, job }: { jobId: string; job?: JobWithEtag }) {
  const { query, put } = useQueryValues();
  const shown = SHOWN.find((one) => one === query.get('show')) ?? 'all';
  const [pages, setPages] = useState(1);
  const status = shown === 'failed' || shown === 'skipped' ? shown : undefined;
  const ledger = useLedger(jobId, { status }, pages);
  const all = useLedger(jobId, {}, 1);
  return (
    <div class="stack">
      <Card
        part="history"
        title={`Last ${plural(all.data?.items.length ?? 60, 'occurrence')}`}
        more={<Summary rows={all.data} />}
      >
        <Loaded query={all} ratio={HISTORY_RATIO}>
          {({ items }) => <HistoryStrip ended={items.map(endedOf).reverse()} />}
        </Loaded>
      </Card>
      <Card
        part="ledger"
        title="Ledger"
        flush
        more={
          <Segments
            label="Show"
            value={shown}
            options={SHOWN.map((one) => [one, WORDS[one]] as const)}
            onChange={(one) => put({ show: one === 'all' ? '' : one })}
          />
        }
      >
        <Loaded query={ledger} height={420}>
          {(rows) => (
            <Table rows={rows} shown={shown} jobId={jobId} job={job} onMore={() => setPages(pages + 1)} />
          )}
        </Loaded>
      </Card>
      <div class={placed(ledger)}>
        <Trends of={{ job: jobId }} />
      </div>
    </div>
  );
}

function Summary({ rows }: { rows: Rows | undefined }) {
  if (!rows) return null;
  const lengths = rows.items.flatMap((one) => tookMs(one) ?? []).sort((a, b) => a - b);
  const middle = lengths[Math.floor(lengths.length / 2)];
  return (
    <>
      {summary(rows.items.map(({ status }) => status))}
      {middle !== undefined && ` · middle ${duration(middle)}`}
    </>
  );
}

const endedOf = (execution: Execution) => ({
  status: execution.status,
  ms: tookMs(execution) ?? null,
  key: execution.execId,
  label: `${execution.dueAt} ${execution.status} ${whyOrHow(execution)} ${tookText(execution)}`,
});

interface TableProps {
  rows: Rows;
  shown: Shown;
  jobId: string;
  job: JobWithEtag | undefined;
  onMore(): void;
}

function Table({ rows, shown, jobId, job, onMore }: TableProps) {
  const { items, held, show } = useHeldRows(
    shown === 'manual' ? rows.items.filter(({ trigger }) => trigger === 'manual') : rows.items,
    shown,
  );
  const go = useGo();
  const here = useRowKeys(items.length, {
    open: (index) => go(paths.execution(jobId, items[index]!.execId)),
  });
  const isListed = items[0]?.status === 'scheduled';
  const next = shown === 'all' && !isListed ? job?.nextFireAt : undefined;
  if (items.length === 0 && !next)
    return (
      <Empty title="Nothing yet.">
        {shown === 'all' && <p>Run now starts an execution; a schedule starts others.</p>}
      </Empty>
    );
  return (
    <>
      <HeldRows held={held} show={show} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of occurrences">
        <table class="ledger">
          <Head />
          <tbody>
            {next && <ScheduledRow jobId={jobId} at={next} />}
            {items.map((one, index) => (
              <LedgerRow
                key={one.execId}
                execution={one}
                isHere={index === here}
                canRun={isRunnable(job ?? null)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {rows.hasMore && (
        <p class="more-rows">
          <button type="button" class="btn small" onClick={onMore}>
            Show older
          </button>{' '}
          <span class="quiet">{plural(items.length, 'occurrence')} shown</span>
        </p>
      )}
    </>
  );
}

const Head = () => (
  <thead>
    <tr>
      <Headings
        of={['Due', 'Outcome', 'Why, or how', ['Took', 'num'], ['Late by', 'num'], ['Actions', 'hidden']]}
      />
    </tr>
  </thead>
);
