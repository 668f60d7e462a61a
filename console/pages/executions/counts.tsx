import { TERMINAL_STATUSES } from '../../../client/browser';
import { type EndCounts, type ExecutionsFilter, useEndCounts } from '../../api/executions-of-jobs';
import { Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { count } from '../../time/format';

interface CountsProps {
  filter: ExecutionsFilter;
  onStatus(status: string): void;
}

/** How many ended in which way, whatever status the list shows. Each leads to its list. */
export function Counts({ filter, onStatus }: CountsProps) {
  const { span, tags, q, status: shown } = filter;
  const counts = useEndCounts({ span, tags, q });
  return (
    <div class="filters" role="group" aria-label="How they ended" data-part="counts">
      <Loaded query={counts} height={34}>
        {(found) =>
          found === null ? (
            <p class="second">
              This deployment keeps no journal of ends: nothing is counted, and of at most 500 jobs the
              executions are listed together.
            </p>
          ) : (
            TERMINAL_STATUSES.map((status) => (
              <button
                key={status}
                type="button"
                class="btn"
                aria-pressed={shown === status}
                onClick={() => onStatus(shown === status ? '' : status)}
              >
                <Mark status={status} /> <strong>{numberOf(found, status)}</strong>
              </button>
            ))
          )
        }
      </Loaded>
    </div>
  );
}

const numberOf = (counts: EndCounts, status: (typeof TERMINAL_STATUSES)[number]): string =>
  (counts.atLeast ? '≥ ' : '') + count(counts[status]);
