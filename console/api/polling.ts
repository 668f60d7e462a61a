import { signal } from '@preact/signals';
import { keepPreviousData, QueryClient, useQuery } from '@tanstack/preact-query';

import { now } from '../app/now';
import { pauseMs } from './pace';

/** Whether pages ask again by themselves: the reader's switch. */
export const live = signal(true);
/** When the API last answered, and since when it does not. */
export const lastAnswerMs = signal(0);
export const silentSinceMs = signal<number | undefined>(undefined);

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false, // the client retries; the next poll does too
      staleTime: 2_000,
      networkMode: 'always', // a browser that believes to be offline may still reach a local run
      refetchIntervalInBackground: false,
    },
  },
});

/** Failures in a row, by query. */
const failures = new Map<string, number>();

export interface PolledOptions<T> {
  /** Names the query. The project belongs to it where the data does. */
  key: readonly unknown[];
  load(signal: AbortSignal): Promise<T>;
  /** Milliseconds until the next request, by the data of now; false: none. */
  every(data: T | undefined): number | false;
  enabled?: boolean;
  /** Shows the data of the key before until that of this one is there. */
  keepPrevious?: boolean;
}

export interface Polled<T> {
  data: T | undefined;
  error: Error | null;
  /** When the data was answered; 0 if never. */
  updatedAtMs: number;
  /** When the next request is due, after a failure. */
  nextAtMs: number | undefined;
  isLoading: boolean;
  refetch(): void;
}

/** Server state that a page keeps up to date while it is visible. */
export function usePolled<T>({
  key,
  load,
  every,
  enabled = true,
  keepPrevious,
}: PolledOptions<T>): Polled<T> {
  const hash = JSON.stringify(key);
  const isLive = live.value;
  const pauseOf = (data: T | undefined, lastAtMs: number): number | false => {
    const everyMs = every(data);
    return everyMs === false || !isLive ? false : pauseMs(everyMs, failures.get(hash) ?? 0, lastAtMs);
  };
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal: aborted }) => {
      try {
        const data = await load(aborted);
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
    },
    enabled,
    placeholderData: keepPrevious ? keepPreviousData : undefined,
    refetchInterval: ({ state }) =>
      pauseOf(state.data as T | undefined, Math.max(state.dataUpdatedAt, state.errorUpdatedAt)),
    refetchOnWindowFocus: () => live.peek() && every(undefined) !== false,
  });
  const { data, error, dataUpdatedAt, errorUpdatedAt, isLoading } = query;
  const pause = pauseOf(data, errorUpdatedAt);
  return {
    data,
    error,
    updatedAtMs: dataUpdatedAt,
    nextAtMs: error && pause !== false ? errorUpdatedAt + pause : undefined,
    isLoading,
    refetch: () => void query.refetch(),
  };
}

/** No answer at all, as opposed to one that says no. */
const isSilence = (thrown: unknown): boolean =>
  !(thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500);

/** Asks again for all data whose key begins so. */
export const refresh = (...key: readonly unknown[]): Promise<void> =>
  queries.invalidateQueries({ queryKey: key });

/** Seconds until an instant, at least 0; it changes with the clock. */
export const secondsUntil = (ms: number): number => Math.max(0, Math.ceil((ms - now.value) / 1_000));
