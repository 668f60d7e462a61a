/** A delivery as the receiver saw it. */
export interface Arrival {
  jobId: string;
  execId: string;
  attempt: number;
  fence: number;
  dueAtMs: number;
  /** By the clock of the receiver. */
  atMs: number;
  /** Only in mode `async`: where to report, and with which token. */
  callback?: string | undefined;
  token?: string | undefined;
}

/** What the jobs call. The path decides the response: see `answer.cjs`. */
export interface Receiver {
  /** Without a slash at the end. */
  url: string;
  /** What has arrived for the jobs whose ids begin so, in the order of arrival. */
  arrivals(jobIdPrefix: string): Promise<Arrival[]>;
}
