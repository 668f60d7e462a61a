import { useState } from 'preact/hooks';

import { useAllBackfills } from '../../api/backfills';
import { paths } from '../../app/address';
import { useGo, useQueryValues } from '../../app/go';
import { BackfillTable } from '../../parts/backfill-table';
import { Card, Segments, Title } from '../../parts/card';
import { useRowKeys } from '../../parts/row-keys';
import { Empty, Loaded } from '../../parts/states';
import { plural } from '../../time/format';

const STATUSES = [
  ['', 'All'],
  ['running', 'Running'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
] as const;
type Shown = (typeof STATUSES)[number][0];

/** The backfills of all jobs, newest first. The chosen status stands in the address. */
export default function Backfills() {
  const { query, put } = useQueryValues();
  const [status] = STATUSES.find(([one]) => one === query.get('status')) ?? STATUSES[0];
  const [pages, setPages] = useState(1);
  const backfills = useAllBackfills(status || undefined, pages);
  const { data } = backfills;
  const show = (chosen: Shown) => {
    setPages(1);
    put({ status: chosen });
  };
  const go = useGo();
  const here = useRowKeys(data?.items.length ?? 0, {
    open: (index) => {
      const { jobId, execId } = data!.items[index]!;
      go(paths.execution(jobId, execId));
    },
  });
  return (
    <>
      <Title
        sub={data ? `${plural(data.items.length, 'backfill')}${data.hasMore ? ', and more below' : ''}` : ' '}
        actions={<Segments label="Status" value={status} options={STATUSES} onChange={show} />}
      >
        Backfills
      </Title>
      <Card part="all-backfills" flush>
        <Loaded query={backfills} height={320}>
          {({ items, hasMore }) => (
            <>
              {items.length > 0 && <BackfillTable backfills={items} withJob here={here} />}
              {items.length === 0 && !hasMore && <NoBackfill status={status} onAll={() => show('')} />}
              {hasMore && (
                <p class="more-rows">
                  <button type="button" class="btn small" onClick={() => setPages(pages + 1)}>
                    Show more
                  </button>
                </p>
              )}
            </>
          )}
        </Loaded>
      </Card>
    </>
  );
}

const NoBackfill = ({ status, onAll }: { status: Shown; onAll(): void }) =>
  status ? (
    <Empty title={`No backfill is ${status}.`}>
      <p>
        <button type="button" class="btn small" onClick={onAll}>
          Show all
        </button>
      </p>
    </Empty>
  ) : (
    <Empty title="There are no backfills yet.">
      <p>A backfill runs a job once for each due time in a range. Its job has a tab for it, or in a shell:</p>
      <pre class="code">npx @quarterjack/cli backfill JOB --from 2026-11-01 --to 2026-12-01</pre>
    </Empty>
  );
