/** What the pings of an execution have said. Only of a monitor. */
export interface PingRecord {
  /** When the one came that ended it. */
  atMs: number;
  /** Pairs the pings of one run: a UUID of its sender. */
  rid?: string;
  exitCode?: number;
  /** From the ping of its start to that of its end. */
  durationMs?: number;
  /** The length of the body. The log may have less of it. */
  bytes: number;
  /** How many pings it has had. */
  count: number;
}
