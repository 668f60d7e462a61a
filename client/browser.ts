/**
 * The client without what receives deliveries: everything here runs in browsers, on web APIs alone. The
 * export condition `browser` gives bundlers this file for `quarterjack`; `index.ts` is for Node.js.
 */
import './argument-checks';

export * from './errors';
export { EXECUTION_STATUSES, TERMINAL_STATUSES } from './execution-statuses';
export { isTerminal, type WaitOptions, WaitTimeoutError } from './executions';
export { Listing, type Page } from './listing';
export type {
  BatchOptions,
  CallOptions,
  ChangeOptions,
  ConnectionOptions,
  CreateOptions,
  NoteOptions,
  PutOptions,
  RequestOptions,
} from './options';
export { Quarterjack } from './quarterjack';
export { DEFAULT_RETRY, type RetryOptions, type RetrySurroundings } from './retrying-fetch';
export type * from './types';
