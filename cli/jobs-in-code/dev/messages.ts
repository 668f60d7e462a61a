import type { ManifestJob } from '../../../client/jobs-in-code/manifest-job';

/** Name of the hidden command that serves the jobs of a module. */
export const SERVE_COMMAND = 'serve-jobs';

/** Where a jobs program writes messages, one line of JSON each. */
export const MESSAGES = 4;

/** What a jobs program tells: first how it was loaded, then what its jobs import later. */
export type JobsMessage = Loaded | NotLoaded | { later: string[] };

export interface Loaded {
  port: number;
  jobs: ManifestJob[];
  /** Ids of jobs that do not count, because the module does not export them. */
  unexported: string[];
  /** The files of the user that it consists of. */
  files: string[];
}

export interface NotLoaded {
  error: string;
  files: string[];
}

/** A line on stdin: take no more deliveries, and end after the last one. The end of stdin ends it at once. */
export const FINISH = 'finish\n';
