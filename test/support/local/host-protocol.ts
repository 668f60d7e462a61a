import type { RowWrite } from '../../../local/services/dynamodb/dynamodb';
import type { LocalRun, StartOptions } from '../../../local/start';

export interface HostStartOptions extends Omit<StartOptions, 'out' | 'err' | 'onFailure' | 'onRowWrite'> {
  /** Keeps all writes to the tables for `rowWrites`. */
  keepsRowWrites?: boolean;
}

/** Where a host dies: before a write of the journal, or after it and before its sync. */
export type Death = 'before' | 'unsynced';

/** A write with its wall-clock time, in milliseconds. */
export type TimedRowWrite = RowWrite & { t: number };

export type HostCommand = { id: number } & (
  | { kind: 'start'; options: HostStartOptions }
  | { kind: 'killWorker'; functionLogicalId: string }
  | { kind: 'decisions'; from: number }
  | { kind: 'rowWrites' }
  | { kind: 'dieAtWrite'; write: number; how: Death; syncMs: number }
  | { kind: 'stop' }
);

/** The reply to a command. The first reply has the id 0: the process is ready for commands. */
export interface HostReply {
  id: number;
  value?: unknown;
  error?: string;
}

export interface Started extends Pick<
  LocalRun,
  'url' | 'awsEndpointUrl' | 'region' | 'operator' | 'dataDir'
> {
  /** A token of the user `alice`. */
  token: string;
  /** By logical id. */
  queueUrls: Record<string, string>;
  /** By logical id. */
  functionNames: Record<string, string>;
}
