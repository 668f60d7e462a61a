/** Buckets whose entries are dispatched. Their next entries lie in the bucket after. */
export const PLAYED_BUCKETS = [0, 1];

/** A series in the model: a job, and its revision. Only the first job is edited, once. */
export interface ModelSeries {
  job: 0 | 1 | 2;
  revision: 0 | 1;
  afterMs: number;
}

export const MODEL_SERIES: readonly ModelSeries[] = [
  { job: 0, revision: 0, afterMs: 3_000 },
  { job: 0, revision: 1, afterMs: 3_000 },
  { job: 1, revision: 0, afterMs: 3_000 },
  { job: 2, revision: 0, afterMs: 7_000 },
];
/** The edited job's series before and after the edit. */
export const [OLD_SERIES, NEW_SERIES] = [0, 1];

/** What the protocol would do with one fault. The model has to find each of them. */
export type ModelFault = 'fixed-names' | 'message-first' | 'dropped-at-border';

/** A row of the table: what a put of its key replaces, and the entries in it as bits. */
export interface ModelRow {
  key: string;
  entries: number;
}

/** Where a scanner stands. One that is frozen just does not take its next step. */
export type ModelScanner =
  | { at: 'idle' }
  | { at: 'read'; bucket: number; seen: number }
  | { at: 'writes'; bucket: number; due: number; done: number };
export type ModelApi = 'before' | 'filed' | 'saved' | 'deleted' | 'done';

/** `sends`: entries whose messages it sends, as bits. */
export interface ModelStep {
  name: string;
  to: ModelState;
  sends?: number;
}

export interface ModelState {
  /** Rows of the table, as bits. */
  rows: number;
  cursor: number;
  scanners: readonly [ModelScanner, ModelScanner];
  api: ModelApi;
}

export const entryBit = (series: number, bucket: number): number => bucket * MODEL_SERIES.length + series;
export const seriesOfBit = (entry: number): number => entry % MODEL_SERIES.length;
export const bucketOfBit = (entry: number): number => Math.floor(entry / MODEL_SERIES.length);
export const hasBit = (bits: number, index: number): boolean => (bits & (1 << index)) !== 0;
export const bitsIn = (bits: number): number[] =>
  Array.from({ length: 3 * MODEL_SERIES.length }, (_, index) => index).filter((index) => hasBit(bits, index));
export const bitsOfBucket = (bucket: number): number => (2 ** MODEL_SERIES.length - 1) << entryBit(0, bucket);
export const nextEntryBit = (entry: number): number => entry + MODEL_SERIES.length;

export const isJobSaved = (api: ModelApi): boolean => api !== 'before' && api !== 'filed';

export function scannerCode(scanner: ModelScanner): number {
  if (scanner.at === 'idle') return 0;
  if (scanner.at === 'read') return 1 + scanner.seen * 8;
  return 2 + scanner.done + scanner.due * 8;
}
