import type { RowWrite } from '../../../local/services/dynamodb/write-observer';
import type { LocalRun, StartOptions } from '../../../local/start';

export interface HostStartOptions extends Omit<StartOptions, 'out' | 'err' | 'onFailure' | 'onRowWrite'> {
  /** Whether all that is written to the tables shall be kept, for `rowWrites`. */
  keepsRowWrites?: boolean;
}

/** With the wall clock of the moment. */
export type TimedRowWrite = RowWrite & { t: number };

export type HostCommand = { id: number } & (
  | { kind: 'start'; options: HostStartOptions }
  | { kind: 'killWorker'; functionLogicalId: string }
  | { kind: 'decisions'; from: number }
  | { kind: 'rowWrites' }
  | { kind: 'stop' }
);

/** What came of a command. The one with the id 0 comes first and says that commands are heard. */
export interface HostAnswer {
  id: number;
  value?: unknown;
  error?: string;
}

export interface Started extends Pick<
  LocalRun,
  'url' | 'awsEndpointUrl' | 'region' | 'operator' | 'dataDir'
> {
  /** Of the user `alice`. */
  token: string;
  /** By logical id. */
  queueUrls: Record<string, string>;
  /** By logical id. */
  functionNames: Record<string, string>;
}
