import type { LocalRun, StartOptions } from '../../../local/start';

export type HostCommand = { id: number } & (
  | { kind: 'start'; options: Omit<StartOptions, 'out' | 'err' | 'onFailure'> }
  | { kind: 'killWorker'; functionLogicalId: string }
  | { kind: 'decisions' }
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
}
