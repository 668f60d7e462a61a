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
  /** Pings that made it what it is: 1, or 2 with that of its start. */
  count: number;
}

/** What a ping says that its run has failed. */
export const failureOfPing = ({ exitCode }: Pick<PingRecord, 'exitCode'>): string =>
  exitCode === undefined ? 'its ping says that it has failed' : `exit code ${exitCode}`;

/** What a failed execution without an attempt says, as a run of a monitor that has not told its start. */
export const errorOfPing = ({ status, ping }: { status?: string; ping?: PingRecord } = {}):
  | string
  | undefined => (ping && status === 'failed' ? failureOfPing(ping) : undefined);
