/** A request of a job that runs elsewhere, and its answer. Without an answer, it is not known to count. */
export interface PingRecord {
  src: 'ping';
  type: 'sent' | 'answered';
  /** Number of the action. Its repeats have the same. */
  ping: number;
  jobKey: string;
  /** As in the path; empty: the job has succeeded. */
  signal: string;
  rid?: string;
  outcome?: string;
}
