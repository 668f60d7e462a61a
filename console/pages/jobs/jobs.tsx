import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { useJobPages } from '../../api/job-pages';
import type { JobsSoFar } from '../../api/jobs';
import type { JobsFilter } from '../../api/jobs-filter';
import type { Span } from '../../api/read-on';
import { useCan } from '../../api/project';
import { Go, useGo, useQueryValues } from '../../app/go';
import { paths } from '../../app/address';
import { Card, Title } from '../../parts/card';
import { useRowKeys } from '../../parts/row-keys';
import { Loaded } from '../../parts/states';
import { Headings } from '../../parts/table';
import { useWindowed } from '../../parts/windowed';
import { useWords } from '../../planning/words';
import { plural } from '../../time/format';
import type { Chosen } from './bulk-actions';
import { BulkBar } from './bulk-bar';
import { filterOf, isFiltered, valuesOf } from './filter';
import { FilterBar } from './filter-bar';
import { JobRow } from './job-row';
import { NoJobs } from './no-jobs';

/** At first. Each time that the end is reached, twice as many are read. */
const FIRST = 100;
const ROW_PX = 48;

/** All jobs of the project. */
export default function Jobs() {
  const { query, put } = useQueryValues();
  const filter = filterOf(query);
  const [most, setMost] = useState(FIRST);
  const view = useRef<Span>({ from: 0, to: FIRST });
  const jobs = useJobPages(filter, most, () => view.current);
  const can = useCan();
  const { data } = jobs;
  return (
    <>
      <Title
        sub={data && !jobs.isPrevious ? found(data, jobs.isPartial) : ' '}
        actions={
          can('jobs:write') && (
            <Go to="/jobs/~new" class="btn first">
              New job
            </Go>
          )
        }
      >
        Jobs
      </Title>
      <FilterBar filter={filter} onChange={(changed) => put(valuesOf(changed))} />
      <Loaded query={jobs} height={520}>
        {(list) =>
          list.items.length === 0 && !list.hasMore && !jobs.isPartial ? (
            <NoJobs filter={filter} onClear={() => put({ q: '', status: '', tag: [], last: '' })} />
          ) : (
            <Table
              key={JSON.stringify(filter)} // another filter, another choice
              list={list}
              filter={filter}
              view={view}
              isReady={!jobs.isPrevious && !jobs.isPartial}
              onMore={() => setMost(2 * list.items.length)}
            />
          )
        }
      </Loaded>
    </>
  );
}

function found({ items, hasMore }: JobsSoFar, isPartial: boolean): string {
  const jobs = plural(items.length, 'job');
  if (isPartial) return `${jobs} so far, and the search goes on`;
  return hasMore ? `${jobs}, and more below` : jobs;
}

interface TableProps {
  list: JobsSoFar;
  filter: JobsFilter;
  /** Gets the rows that are drawn. */
  view: RefObject<Span>;
  /** The rows are those of the filter, as many as were asked for. */
  isReady: boolean;
  onMore(): void;
}

function Table({ list: { items, hasMore }, filter, view, isReady, onMore }: TableProps) {
  const [chosen, setChosen] = useState<Chosen>({ ids: new Set(), all: undefined });
  const { body, from, to } = useWindowed(items.length, ROW_PX);
  view.current = { from, to };
  const words = useWords();
  const go = useGo();
  const choose = (jobId: string) => setChosen(({ ids }) => ({ ids: toggled(ids, jobId), all: undefined }));
  const here = useRowKeys(items.length, {
    choose: (index) => choose(items[index]!.jobId),
    open: (index) => go(paths.job(items[index]!.jobId)),
  });
  useEffect(() => {
    if (isReady && hasMore && to >= items.length) onMore();
  }, [isReady, hasMore, to, items.length]);
  const isChosen = (jobId: string) => chosen.all !== undefined || chosen.ids.has(jobId);
  const isAllChosen = items.every(({ jobId }) => isChosen(jobId));
  return (
    <>
      <Card part="jobs" flush>
        <div class="scroll" tabIndex={0} role="region" aria-label="Table of jobs">
          <table class="jobs" aria-rowcount={hasMore ? -1 : items.length + 1}>
            <Head
              isChosen={isAllChosen}
              onChoose={() =>
                setChosen({
                  ids: new Set(isAllChosen ? [] : items.map(({ jobId }) => jobId)),
                  all: undefined,
                })
              }
            />
            <tbody ref={body}>
              <Gap rows={from} />
              {items.slice(from, to).map((job, offset) => (
                <JobRow
                  key={job.jobId}
                  job={job}
                  words={words(job.schedule)}
                  index={from + offset}
                  isChosen={isChosen(job.jobId)}
                  isHere={here === from + offset}
                  onChoose={() => choose(job.jobId)}
                />
              ))}
              <Gap rows={items.length - to} />
            </tbody>
          </table>
        </div>
      </Card>
      {isReady && (
        <BulkBar
          chosen={chosen}
          filter={filter}
          hasMore={hasMore || isFiltered(filter)}
          onChoose={setChosen}
        />
      )}
    </>
  );
}

const Head = ({ isChosen, onChoose }: { isChosen: boolean; onChoose(): void }) => (
  <thead>
    <tr aria-rowindex={1}>
      <th>
        <input type="checkbox" aria-label="Choose all shown" checked={isChosen} onChange={onChoose} />
      </th>
      <Headings of={['Job', 'Status', 'Schedule', 'Next', 'Last 20', 'Last', ['Late by', 'num']]} />
    </tr>
  </thead>
);

/** Takes the height of rows that are not drawn. */
const Gap = ({ rows }: { rows: number }) =>
  rows > 0 ? (
    <tr class="undrawn" aria-hidden="true" style={{ height: `${rows * ROW_PX}px` }}>
      <td colSpan={8} />
    </tr>
  ) : null;

function toggled(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
