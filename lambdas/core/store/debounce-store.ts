/** The open run of a job's events that share a debounce key. */
export interface DebounceRef {
  /** Full id of the job. */
  jobKey: string;
  /** The user's text; `''`: events without a key. */
  key: string;
}

/** Which run the next event of a key may move. The row of that run decides whether it still can. */
export interface DebounceStore {
  /** execId of the run that was opened last. Consistent. */
  get(ref: DebounceRef): Promise<string | undefined>;
  /** Names a new run in the place of the one seen. `lost`: another event was faster. */
  replace(
    ref: DebounceRef,
    to: { execId: string; expiresAtSec: number },
    seen: string | undefined,
  ): Promise<'done' | 'lost'>;
}
