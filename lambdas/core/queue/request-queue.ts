/** A queue of scan or sweep requests. They are repeated every minute, so a lost one costs only time. */
export interface RequestQueue<Request> {
  /** Throws if some are rejected after a retry. `delaySec`: whole seconds, 0–900. */
  send(requests: readonly { request: Request; delaySec: number }[]): Promise<void>;
}
