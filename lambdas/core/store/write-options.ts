/** For a write that is given up at a deadline. */
export interface WriteOptions {
  /** Ends the call. The SDK then makes no further try, also not when a frozen process goes on. */
  abortSignal: AbortSignal;
}
