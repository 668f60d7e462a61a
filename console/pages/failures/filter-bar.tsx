import type { FailuresFilter } from '../../api/failures-filter';
import type { useQueryValues } from '../../app/go';
import { Form } from '../../parts/dialog';
import { SpanFilter } from '../../parts/span-filter';
import { TagFilter } from '../../parts/tag-filter';

interface FilterBarProps {
  filter: FailuresFilter;
  put: ReturnType<typeof useQueryValues>['put'];
}

/** What narrows the failures. The address has all of it. */
export const FilterBar = ({ filter: { span, tags, view }, put }: FilterBarProps) => (
  <Form class="filters" role="search" data-part="filters">
    <SpanFilter span={span} put={put} />
    <TagFilter tags={tags} onChange={(changed) => put({ tag: changed })} />
    <label class="check">
      <input
        type="checkbox"
        checked={view === 'all'}
        onChange={(event) => put({ view: event.currentTarget.checked ? 'all' : '' })}
      />
      Also what a user skipped
    </label>
  </Form>
);
