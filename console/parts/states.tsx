import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { now } from '../app/now';
import { zone } from '../app/zone';
import { type Polled, secondsUntil } from '../api/polling';
import { clockSec } from '../time/format';
import { Icon } from './icons';
import { statusOf, wordsOf } from './problem';

const SKELETON_AFTER_MS = 200;

/** A grey area of the final height in pixels, or of its proportions, after a moment: no flicker. */
export function Skeleton({ height = 120, ratio }: { height?: number; ratio?: string }) {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      class={isShown ? 'skeleton' : undefined}
      style={ratio ? { aspectRatio: ratio } : { height: `${height}px` }}
      aria-busy="true"
    >
      <span class="hidden">Loading</span>
    </div>
  );
}

/** Data stays on the page while the API does not answer. */
export function Stale({
  query,
}: {
  query: Pick<Polled<unknown>, 'error' | 'data' | 'updatedAtMs' | 'nextAtMs'>;
}) {
  const { error, data, updatedAtMs, nextAtMs } = query;
  if (!error || data === undefined) return null;
  const again = nextAtMs === undefined ? '' : ` · trying again in ${secondsUntil(nextAtMs)} s`;
  return (
    <p class="stale" role="status" data-part="stale">
      <Icon name="clock" size={14} />
      As of {clockSec(updatedAtMs, zone.value)} · {reasonOf(error)}
      {again}
    </p>
  );
}

const reasonOf = (error: unknown): string => {
  const status = statusOf(error);
  if (status === undefined || status >= 500) return 'no answer';
  return wordsOf(error);
};

/** For what stands below data of unknown height: it is drawn once they have come, or why they have not. */
export const placed = ({ data, error }: Pick<Polled<unknown>, 'data' | 'error'>, name = ''): string =>
  data === undefined && !error ? `${name} unplaced` : name;

/** The data of a query, or why there is none. What stands in for other data is faint and busy. */
export function Loaded<T>({
  query,
  height,
  ratio,
  children,
}: {
  query: Polled<T>;
  height?: number;
  ratio?: string;
  children(data: T): ComponentChildren;
}) {
  const { data, isPrevious, isPartial } = query;
  if (data !== undefined)
    return (
      <div class={`loaded ${isPrevious ? 'previous' : ''}`} aria-busy={isPrevious || isPartial || undefined}>
        <Stale query={query} />
        {children(data)}
      </div>
    );
  if (query.error) return <Failed error={query.error} again={query.refetch} nextAtMs={query.nextAtMs} />;
  return <Skeleton height={height} ratio={ratio} />;
}

/** Why there is no data, in the words of the API. */
export function Failed({ error, again, nextAtMs }: { error: unknown; again?(): void; nextAtMs?: number }) {
  const status = statusOf(error);
  const head =
    status === 403
      ? 'This needs another right'
      : status === 404
        ? 'There is no such thing'
        : 'This did not load';
  return (
    <div class="problem" role="alert" data-part="error">
      <h2>{head}</h2>
      <p>{wordsOf(error)}</p>
      {again && status !== 403 && (
        <p class="acts">
          <button type="button" class="btn small" onClick={again}>
            Try again
          </button>
          {nextAtMs !== undefined && nextAtMs > now.value && (
            <span class="quiet">by itself in {secondsUntil(nextAtMs)} s</span>
          )}
        </p>
      )}
    </div>
  );
}

/** A list without items: what to do now. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty" data-part="empty">
    <h2>{title}</h2>
    {children}
  </div>
);
