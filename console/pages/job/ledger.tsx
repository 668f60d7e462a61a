import { useEffect, useRef, useState } from 'preact/hooks';

import type { Execution, JobWithEtag } from '../../../client/browser';
import { type Ledger as Rows, useLedger } from '../../api/executions';
import { paths } from '../../app/address';
import { useGo, useQueryValues } from '../../app/go';
import { HISTORY_RATIO, HistoryStrip, summary } from '../../draw/history';
import { Card, Segments } from '../../parts/card';
import { whyOrHow } from '../../parts/reason';
import { tookMs, tookText } from '../../parts/took';
import { useRowKeys } from '../../parts/row-keys';
import { Empty, Loaded } from '../../parts/states';
import { Headings } from '../../parts/table';
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
        title={`Last ${all.data?.items.length ?? 60} occurrences`}
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
  if (items.length === 0 && !next) return <Empty title="Nothing yet." />;
  return (
    <>
      {held > 0 && (
        <p class="held">
          <button type="button" class="pill" onClick={show}>
            {held} new · show
          </button>
        </p>
      )}
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
                hasJob={job !== undefined}
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

/**
 * The rows, without new ones at the top while the reader is further down: a poll never moves what is read.
 * `filter` names the list; another one begins anew.
 */
function useHeldRows(items: readonly Execution[], filter: string) {
  const [top, setTop] = useState<string>();
  const last = useRef(filter);
  const isReading = scrollY > 200;
  // What is planned stands above what ran, so a new run comes below it.
  const ahead = items.findIndex(({ status }) => status !== 'scheduled');
  const planned = items.slice(0, Math.max(0, ahead));
  const ran = items.slice(planned.length);
  const newest = ran[0]?.execId;
  useEffect(() => {
    if (!isReading || last.current !== filter || top === undefined) setTop(newest);
    last.current = filter;
  }, [newest, filter, isReading]);
  const from = isReading && top !== undefined ? ran.findIndex(({ execId }) => execId === top) : 0;
  const held = Math.max(0, from);
  return { items: [...planned, ...ran.slice(held)], held, show: () => setTop(newest) };
}
