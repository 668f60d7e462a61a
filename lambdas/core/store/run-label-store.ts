import type { ExecutionRef } from './execution-store';

export interface LabelsPage {
  /** The first execId, and the one before which it ends. Executions are in the order of their execIds. */
  fromExecId: string;
  toExecId: string;
  /** `nextAfter` of the page before. */
  after?: string | undefined;
  limit: number;
}

/** Where an execution is found: by a run tag, on a day and in a slot, or by its external id. */
export type LabelPartition =
  | { userPart: string; runTag: string; day: string; slot: number }
  | { userPart: string; externalId: string };

/** An execution that has a label, or is about to get it: its row tells. */
export interface LabelledRef extends ExecutionRef {
  /** Where it is in the order of its partition. */
  position: string;
}

/** By which run tags and external ids executions are found. */
export interface RunLabelStore {
  /** Says that an execution has a run tag. A repeat writes the same row. */
  putRunTag(ref: ExecutionRef, runTag: string, expiresAtSec: number): Promise<void>;
  /** Says that an execution has an external id. A repeat writes the same row. */
  putExternalId(ref: ExecutionRef, externalId: string, expiresAtSec: number): Promise<void>;
  /** Executions, the newest first. Eventually consistent for run tags. */
  list(partition: LabelPartition, page: LabelsPage): Promise<LabelledRef[]>;
}
