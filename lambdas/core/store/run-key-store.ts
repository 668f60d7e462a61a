import type { WriteOptions } from './write-options';

/** A key by which a user knows a run of a job. */
export interface RunKeyRef {
  /** Full id of the job. */
  jobKey: string;
  /** The user's text. */
  key: string;
}

/** The run that a key names. Its row may not be written yet. */
export interface NamedRun {
  execId: string;
  /** When it was named last. Its row comes soon after that, or never. */
  namedAtMs: number;
}

/** Which run a key names: the latest. The row of that run decides whether the key is taken. */
export interface RunKeyStore {
  /** Consistent. */
  get(ref: RunKeyRef): Promise<NamedRun | undefined>;
  /** Names a run in the place of what was seen. `lost`: another request was faster. */
  put(
    ref: RunKeyRef,
    to: NamedRun & { expiresAtSec: number },
    seen: NamedRun | undefined,
    options?: WriteOptions,
  ): Promise<'done' | 'lost'>;
}
