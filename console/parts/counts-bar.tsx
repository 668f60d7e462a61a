import { type Counts, countsText } from './item-counts';

const DRAWN = ['succeeded', 'failed', 'cancelled', 'running'] as const;

/** How many items of a fan-out, or dates of a backfill, have each status: a bar, and the same in words. */
export const CountsBar = ({ counts }: { counts: Counts }) => (
  <div class="counts">
    <span class="counts-bar" aria-hidden="true">
      {DRAWN.map(
        (status) =>
          counts[status] > 0 && (
            <i
              key={status}
              class={`swatch ${status}`}
              style={{ width: `${(100 * counts[status]) / counts.count}%` }}
            />
          ),
      )}
    </span>
    <p class="second">{countsText(counts)}</p>
  </div>
);
