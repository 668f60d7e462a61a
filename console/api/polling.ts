import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';

import { now } from '../app/now';
import { pauseMs } from './pace';
import { Queries, type Query, type Watcher } from './query';

/** Whether pages ask again by themselves: the reader's switch. */
export const live = signal(true);
/** When the API last answered, and since when it does not. */
export const lastAnswerMs = signal(0);
export const silentSinceMs = signal<number | undefined>(undefined);

const isHidden = (): boolean => document.visibilityState === 'hidden';
export const queries = new Queries(isHidden);
addEventListener('visibilitychange', () => {
  if (!isHidden()) queries.returned();
});

/** Failures in a row, by query. */
const failures = new Map<string, number>();

export interface PolledOptions<T> {
  /** Names the query. The project belongs to it where the data does. */
  key: readonly unknown[];
  load(signal: AbortSignal, soFar: (part: T) => void): Promise<T>;
  /** Milliseconds until the next request, by the data of now; false: none. */
  every(data: T | undefined): number | false;
  enabled?: boolean;
  /** Shows the data of the key before until that of this one is there. */
  keepPrevious?: boolean;
}

export interface Polled<T> {
  data: T | undefined;
  /** The data is of the key before: what was asked for is not there yet. */
  isPrevious: boolean;
  /** The data is a part: the rest is being read. */
  isPartial: boolean;
  error: Error | null;
  /** When the data was answered; 0 if never. */
  updatedAtMs: number;
  /** When the next request is due, after a failure. */
  nextAtMs: number | undefined;
  refetch(): void;
}

/** There is data, or the first request has failed: nothing has to wait for it any longer. */
export const isKnown = ({ data, error }: Polled<unknown>): boolean => data !== undefined || error !== null;

/** Server state that a page keeps up to date while it is visible. */
export function usePolled<T>({
  key,
  load,
  every,
  enabled = true,
  keepPrevious = false,
}: PolledOptions<T>): Polled<T> {
  const hash = JSON.stringify(key);
  const isLive = live.value;
  const pauseOf = (data: T | undefined, lastAtMs: number): number | false => {
    const everyMs = every(data);
    return everyMs === false || !live.peek() ? false : pauseMs(everyMs, failures.get(hash) ?? 0, lastAtMs);
  };
  const query = useQuery(key, hash, {
    load: (aborted, soFar) => noted(hash, load(aborted, soFar), aborted),
    pauseMs: (data, lastAtMs) => pauseOf(data as T | undefined, lastAtMs),
    asks: enabled,
    asksOnReturn: () => live.peek() && every(undefined) !== false,
  });
  useEffect(() => query.plan(), [query, isLive]);
  const previous = useRef<T>();
  if (query.data !== undefined) previous.current = query.data as T;
  const { error, dataAtMs, errorAtMs } = query;
  const isMissing = query.data === undefined && keepPrevious && !error;
  const data = (isMissing ? previous.current : query.data) as T | undefined;
  const pause = pauseOf(data, errorAtMs);
  return {
    data,
    isPrevious: isMissing && data !== undefined,
    isPartial: query.isPartial,
    error,
    updatedAtMs: dataAtMs,
    nextAtMs: error && pause !== false ? errorAtMs + pause : undefined,
    refetch: () => void query.askAgain(),
  };
}

/** Watches a query as long as the component is there, with what its last drawing has said. */
function useQuery(key: readonly unknown[], hash: string, watcher: Omit<Watcher, 'redraw'>): Query {
  const query = useMemo(() => queries.of(key), [hash]);
  const [, redraw] = useReducer<number, void>((times) => times + 1, 0);
  const latest = useRef(watcher);
  latest.current = watcher;
  useLayoutEffect(
    () =>
      query.watch({
        load: (signal, soFar) => latest.current.load(signal, soFar),
        pauseMs: (data, lastAtMs) => latest.current.pauseMs(data, lastAtMs),
        asks: watcher.asks,
        asksOnReturn: () => latest.current.asksOnReturn(),
        redraw,
      }),
    [query, watcher.asks],
  );
  return query;
}

/** An answer, with a note of it for the live state and for the pause of the next request. */
async function noted<T>(hash: string, answer: Promise<T>, aborted: AbortSignal): Promise<T> {
  try {
    const data = await answer;
    failures.delete(hash);
    lastAnswerMs.value = Date.now();
    silentSinceMs.value = undefined;
    return data;
  } catch (thrown) {
    if (!aborted.aborted) {
      failures.set(hash, (failures.get(hash) ?? 0) + 1);
      if (isSilence(thrown)) silentSinceMs.value ??= Date.now();
    }
    throw thrown;
  }
}

/** No answer at all, as opposed to one that says no. */
const isSilence = (thrown: unknown): boolean =>
  !(thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500);

/** Asks again for all data whose key begins so. */
export const refresh = (...key: readonly unknown[]): Promise<void> => queries.invalidate(key);

/** Seconds until an instant, at least 0; it changes with the clock. */
export const secondsUntil = (ms: number): number => Math.max(0, Math.ceil((ms - now.value) / 1_000));
