import { useEffect, useRef, useState } from 'preact/hooks';

import { EXECUTION_STATUSES } from '../../../client/browser';
import type { JobsFilter } from '../../api/jobs-filter';
import { Icon } from '../../parts/icons';
import { TagFilter } from '../../parts/tag-filter';
import { isFiltered } from './filter';

const AFTER_LAST_KEY_MS = 250;
const LAST_STATUSES = EXECUTION_STATUSES.filter((status) => status !== 'scheduled');

interface FilterBarProps {
  filter: JobsFilter;
  onChange(filter: JobsFilter): void;
}

/** What narrows the list. The address has all of it. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const put = (changes: Partial<JobsFilter>) => onChange({ ...filter, ...changes });
  return (
    <form class="filters" role="search" data-part="filters" onSubmit={(event) => event.preventDefault()}>
      <Prefix value={filter.q} onChange={(q) => put({ q })} />
      <label class="field">
        Status
        <select value={filter.status} onChange={(event) => put({ status: event.currentTarget.value })}>
          <option value="">any</option>
          {['active', 'paused', 'completed'].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label class="field">
        Last result
        <select
          value={filter.lastStatus}
          onChange={(event) => put({ lastStatus: event.currentTarget.value })}
        >
          <option value="">any</option>
          {LAST_STATUSES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <TagFilter tags={filter.tags} onChange={(tags) => put({ tags })} />
      {isFiltered(filter) && (
        <button
          type="button"
          class="btn bare"
          onClick={() => onChange({ q: '', status: '', tags: [], lastStatus: '' })}
        >
          Clear
        </button>
      )}
    </form>
  );
}

/** The text stays as it is typed, whatever the list does meanwhile. */
function Prefix({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setText((sent.current = value)); // the address changed: Back, or Clear
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => onChange((sent.current = text.trim())), AFTER_LAST_KEY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="field grow">
      <Icon name="find" />
      <span class="hidden">Id or name begins with</span>
      <input
        value={text}
        placeholder="Id or name begins with"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}
