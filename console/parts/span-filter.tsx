import { useState } from 'preact/hooks';

import type { SPANS, TimeSpan } from '../api/spans';
import type { useQueryValues } from '../app/go';
import { now } from '../app/now';
import { zone } from '../app/zone';
import { DAY_MS, localOf, utcOf } from '../time/format';

const WORDS: Record<keyof typeof SPANS, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 h',
  '7d': 'Last 7 days',
};
type Put = ReturnType<typeof useQueryValues>['put'];

/** When executions were due. The address has it. */
export function SpanFilter({ span, put }: { span: TimeSpan; put: Put }) {
  const choose = (chosen: string): void => {
    if (chosen === 'between') {
      const toMs = now.peek();
      put({ span: '', from: new Date(toMs - DAY_MS).toISOString(), to: new Date(toMs).toISOString() });
    } else put({ span: chosen === '24h' ? '' : chosen, from: '', to: '' });
  };
  return (
    <>
      <label class="field">
        Due
        <select
          value={typeof span === 'string' ? span : 'between'}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {Object.entries(WORDS).map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
          <option value="between">Between…</option>
        </select>
      </label>
      {typeof span !== 'string' && <Between key={`${span.from} ${span.to}`} span={span} put={put} />}
    </>
  );
}

/** Two local times of the zone of the page. */
function Between({ span, put }: { span: { from: string; to: string }; put: Put }) {
  const tz = zone.value;
  const [from, setFrom] = useState(() => localOf(Date.parse(span.from), tz));
  const [to, setTo] = useState(() => localOf(Date.parse(span.to), tz));
  const take = (): void => {
    if (from && to) put({ from: utcOf(from, tz), to: utcOf(to, tz) });
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
