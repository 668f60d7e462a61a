import { useEffect, useState } from 'preact/hooks';

import { type ExecutionsFilter, type ExecutionsSoFar, useExecutions } from '../../api/executions-of-jobs';
import type { Polled } from '../../api/polling';
import { Go, useQueryValues } from '../../app/go';
import { Trends } from '../../app/later-trends';
import { Card, Title } from '../../parts/card';
import { Form } from '../../parts/dialog';
import { INCOMPLETE } from '../../parts/incomplete';
import { Instant } from '../../parts/instant';
import { SpanFilter } from '../../parts/span-filter';
import { Empty, Loaded, placed } from '../../parts/states';
import { TagFilter } from '../../parts/tag-filter';
import { TypedFilter } from '../../parts/typed-filter';
import { plural } from '../../time/format';
import { Counts } from './counts';
import { filterOf, isFiltered, spanInWords, STATUSES } from './filter';
import { sortingOf, sortText } from './sorting';
import { ExecutionsTable } from './table';

/** More of them are read where the reader asks for them. */
const FIRST = 100;
const CLEAR = { status: '', tag: [], q: '' };

/** What ran over all jobs. Filters, time and order stand in the address. */
export default function Executions() {
  const { query, put } = useQueryValues();
  const filter = filterOf(query);
  const name = JSON.stringify(filter);
  const sorting = sortingOf(query);
  const [most, setMost] = useState(FIRST);
  const list = useExecutions(filter, most);
  useEffect(() => setMost(FIRST), [name]);
  useEffect(() => {
    if (most > FIRST) list.refetch();
  }, [most]);
  return (
    <>
      <Title sub={<Sentence list={list} filter={filter} />}>Executions</Title>
      <FilterBar filter={filter} put={put} />
      <Counts filter={filter} onStatus={(status) => put({ status })} />
      <Card part="executions" flush>
        <Loaded query={list} height={520}>
          {({ items, next }) => (
            <>
              {items.length > 0 ? (
                <ExecutionsTable
                  items={items}
                  filter={name}
                  sorting={sorting}
                  onSort={(changed) => put({ sort: sortText(changed) })}
                />
              ) : (
                <Nothing filter={filter} onClear={() => put(CLEAR)} />
              )}
              {next && (
                <p class="more-rows">
                  <button type="button" class="btn small" onClick={() => setMost(items.length + FIRST)}>
                    Show older
                  </button>
                  {sortText(sorting) !== '' && (
                    <span class="quiet">The {plural(items.length, 'newest execution')} are sorted.</span>
                  )}
                </p>
              )}
            </>
          )}
        </Loaded>
      </Card>
      {filter.tags.length > 0 && (
        <div class={placed(list)}>
          <Trends key={filter.tags.join(' ')} of={{ tags: filter.tags }} />
        </div>
      )}
    </>
  );
}

interface SentenceProps {
  list: Polled<ExecutionsSoFar>;
  filter: ExecutionsFilter;
}

/** How many are listed, and what the list leaves out. Rows of the filter before are never counted. */
function Sentence({ list: { data, isPrevious }, filter }: SentenceProps) {
  if (!data) return <> </>;
  if (isPrevious) return <>Being read. The faint rows below are of the filter before.</>;
  const { items, next, asOf, incompleteBecause, isEndedOnly } = data;
  return (
    <>
      {plural(items.length, 'execution')}
      {next && ' and more'} {spanInWords(filter)}, as of <Instant at={asOf} show="sec" />
      {isEndedOnly &&
        '. More than 500 jobs: only what has ended is listed. A tag or a text narrows it to what runs, too'}
      {incompleteBecause.map((why) => `. ${INCOMPLETE[why].slice(0, -1)}`)}
    </>
  );
}

interface FilterBarProps {
  filter: ExecutionsFilter;
  put: ReturnType<typeof useQueryValues>['put'];
}

const FilterBar = ({ filter, put }: FilterBarProps) => (
  <Form class="filters" role="search" data-part="filters">
    <TypedFilter label="Job has the text" value={filter.q} onChange={(q) => put({ q })} />
    <label class="field">
      Status
      <select value={filter.status ?? ''} onChange={(event) => put({ status: event.currentTarget.value })}>
        <option value="">any</option>
        {STATUSES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
    <SpanFilter span={filter.span} put={put} />
    <TagFilter tags={filter.tags} onChange={(tag) => put({ tag })} />
    {isFiltered(filter) && (
      <button type="button" class="btn bare" onClick={() => put(CLEAR)}>
        Clear
      </button>
    )}
  </Form>
);

const Nothing = ({ filter, onClear }: { filter: ExecutionsFilter; onClear(): void }) => (
  <Empty title={`Nothing ${isFiltered(filter) ? 'passes the filter' : 'was due'} ${spanInWords(filter)}.`}>
    <p>
      {isFiltered(filter) ? (
        <button type="button" class="btn small" onClick={onClear}>
          Clear the filter
        </button>
      ) : (
        <>
          A job makes one at each due time, and with Run now. See the <Go to="/jobs">jobs</Go>.
        </>
      )}
    </p>
  </Empty>
);
