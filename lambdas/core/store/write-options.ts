/** For a write that is given up at a deadline. */
export interface WriteOptions {
  /** Ends the call. The SDK then makes no further try, also not when a frozen process goes on. */
  abortSignal: AbortSignal;
}

/** For a write that is made before it may leave. */
export interface HeldWrite {
  /** The request is signed at once, and leaves when this resolves. If it rejects, the write fails so. */
  heldUntil: Promise<void>;
}
