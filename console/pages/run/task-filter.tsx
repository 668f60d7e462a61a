import { useQueryValues } from '../../app/go';
import type { TaskRow } from '../../draw/gantt';
import { Form } from '../../parts/dialog';
import { TypedFilter } from '../../parts/typed-filter';
import { plural } from '../../time/format';

/** From so many tasks on, a run is searched. */
const MANY = 20;

const SHOWN = {
  all: () => true,
  failed: ({ status }: TaskRow) => status === 'failed',
  open: ({ isOpen, waitsFor }: TaskRow) => isOpen || waitsFor !== undefined,
  critical: ({ isCritical }: TaskRow) => isCritical,
} as const;
type Shown = keyof typeof SHOWN;
const WORDS: Record<Shown, string> = {
  all: 'all',
  failed: 'failed',
  open: 'not ended',
  critical: 'on the critical path',
};
const isShown = (text: string): text is Shown => Object.hasOwn(SHOWN, text);

/** The tasks that the address selects. Without one, all. */
export function selectedRows(rows: readonly TaskRow[], query: URLSearchParams): readonly TaskRow[] {
  const text = (query.get('tasks') ?? '').toLowerCase();
  const shown = query.get('only') ?? '';
  const passes = SHOWN[isShown(shown) ? shown : 'all'];
  return rows.filter(
    (row) =>
      passes(row) && (row.taskId.toLowerCase().includes(text) || row.title.toLowerCase().includes(text)),
  );
}

/** What narrows the tasks of a large run. */
export function TaskFilter({ rows }: { rows: readonly TaskRow[] }) {
  const { query, put } = useQueryValues();
  if (rows.length < MANY) return null;
  const shown = query.get('only') ?? '';
  return (
    <Form class="filters in" role="search" data-part="task-filter">
      <TypedFilter
        label="Task has the text"
        value={query.get('tasks') ?? ''}
        onChange={(tasks) => put({ tasks })}
      />
      <label class="field">
        Show
        <select
          value={isShown(shown) ? shown : 'all'}
          onChange={(event) =>
            put({ only: event.currentTarget.value === 'all' ? '' : event.currentTarget.value })
          }
        >
          {Object.entries(WORDS).map(([one, words]) => (
            <option key={one} value={one}>
              {words} ({rows.filter(SHOWN[one as Shown]).length})
            </option>
          ))}
        </select>
      </label>
      <span class="quiet" role="status">
        {plural(selectedRows(rows, query).length, 'task')} shown
      </span>
    </Form>
  );
}
