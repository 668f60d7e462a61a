import type { DocumentClient } from '../../../lambdas/core/store/dynamo/access';

/** A client whose next requests can go wrong, in the ways that emulators never show. */
export interface FaultyClient {
  documents: DocumentClient;
  /** The next request is applied, its answer is lost; the SDK then tries again. */
  loseNextAnswer(): void;
  /** The next request never arrives; the SDK then tries again. */
  loseNextRequest(): void;
  /** A transaction locks the row at the next request. */
  conflictNext(): void;
  /** The next batch request leaves all but its first key unprocessed. */
  leaveNextBatch(): void;
  /** Requests sent so far, tries of the SDK included. */
  readonly requests: number;
}

/** A DynamoDB to run the suites on, with the three tables made. */
export interface DynamoBackend {
  tables: { jobs: string; executions: string; schedule: string };
  client(): FaultyClient;
  close(): Promise<void>;
}

export type OpenBackend = () => Promise<DynamoBackend>;
