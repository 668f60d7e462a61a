import { useState } from 'preact/hooks';

import type { FailuresFilter, Span } from '../../api/failures-filter';
import type { useQueryValues } from '../../app/go';
import { now } from '../../app/now';
import { zone } from '../../app/zone';
import { TagFilter } from '../../parts/tag-filter';
import { DAY_MS, instantOf, localOf } from '../../time/format';

const SPAN_WORDS: Record<Span, string> = { '1h': 'Last hour', '24h': 'Last 24 h', '7d': 'Last 7 days' };
type Put = ReturnType<typeof useQueryValues>['put'];

/** What narrows the failures. The address has all of it. */
export function FilterBar({ filter, put }: { filter: FailuresFilter; put: Put }) {
  const { span, tags, view } = filter;
  const choice = typeof span === 'string' ? span : 'between';
  const choose = (chosen: string): void => {
    if (chosen === 'between') {
      const toMs = now.peek();
      put({ span: '', from: new Date(toMs - DAY_MS).toISOString(), to: new Date(toMs).toISOString() });
    } else put({ span: chosen === '24h' ? '' : chosen, from: '', to: '' });
  };
  return (
    <form class="filters" role="search" data-part="filters" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        Due
        <select value={choice} onChange={(event) => choose(event.currentTarget.value)}>
          {Object.entries(SPAN_WORDS).map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
          <option value="between">Between…</option>
        </select>
      </label>
      {typeof span !== 'string' && <Between key={`${span.from} ${span.to}`} span={span} put={put} />}
      <TagFilter tags={tags} onChange={(changed) => put({ tag: changed })} />
      <label class="check">
        <input
          type="checkbox"
          checked={view === 'all'}
          onChange={(event) => put({ view: event.currentTarget.checked ? 'all' : '' })}
        />
        Also what a user skipped
      </label>
    </form>
  );
}

/** Two local times of the zone of the page. */
function Between({ span, put }: { span: { from: string; to: string }; put: Put }) {
  const tz = zone.value;
  const [from, setFrom] = useState(() => localOf(Date.parse(span.from), tz));
  const [to, setTo] = useState(() => localOf(Date.parse(span.to), tz));
  const take = (): void => {
    if (from && to)
      put({
        from: new Date(instantOf(from, tz)).toISOString(),
        to: new Date(instantOf(to, tz)).toISOString(),
      });
  };
  return (
    <>
      <label class="field">
        From
        <input
          type="datetime-local"
          value={from}
          onInput={(event) => setFrom(event.currentTarget.value)}
          onBlur={take}
        />
      </label>
      <label class="field">
        To
        <input
          type="datetime-local"
          value={to}
          onInput={(event) => setTo(event.currentTarget.value)}
          onBlur={take}
        />
      </label>
    </>
  );
}
