import { useEffect, useState } from 'preact/hooks';

import type { Preview } from '../../client/browser';
import { call } from '../api/client';
import { type ScheduleDraft, scheduleOf } from './schedule-draft';

const AFTER_LAST_KEY_MS = 300;

export interface PreviewState {
  preview: Preview | undefined;
  /** Why the schedule of now has none. The last good preview stays. */
  error: unknown;
}

/** When a schedule would fire, from an instant on: what the API says, a moment after the last change. */
export function usePreview(draft: ScheduleDraft, from: string | undefined): PreviewState {
  const [state, setState] = useState<PreviewState>({ preview: undefined, error: undefined });
  useEffect(() => {
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const schedule = scheduleOf(draft);
        const preview = await call((api) => api.preview(schedule, { count: 10, from, signal: abort.signal }));
        if (!abort.signal.aborted) setState({ preview, error: undefined });
      } catch (error) {
        if (!abort.signal.aborted) setState((old) => ({ ...old, error }));
      }
    };
    const timer = setTimeout(() => void ask(), AFTER_LAST_KEY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [JSON.stringify(draft), from]);
  return state;
}
