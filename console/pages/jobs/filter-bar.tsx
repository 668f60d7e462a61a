import { EXECUTION_STATUSES } from '../../../client/browser';
import type { JobsFilter } from '../../api/jobs-filter';
import { Form } from '../../parts/dialog';
import { TagFilter } from '../../parts/tag-filter';
import { TypedFilter } from '../../parts/typed-filter';
import { isFiltered } from './filter';

const LAST_STATUSES = EXECUTION_STATUSES.filter((status) => status !== 'scheduled');

interface FilterBarProps {
  filter: JobsFilter;
  onChange(filter: JobsFilter): void;
}

/** What narrows the list. The address has all of it. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const put = (changes: Partial<JobsFilter>) => onChange({ ...filter, ...changes });
  return (
    <Form class="filters" role="search" data-part="filters">
      <TypedFilter label="Id, name, tag or URL has" value={filter.q} onChange={(q) => put({ q })} />
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
    </Form>
  );
}
