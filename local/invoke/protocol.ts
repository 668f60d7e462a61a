import type { MessagePort } from 'node:worker_threads';

/** Start data of an execution environment. */
export interface EnvironmentData {
  /** Absolute path of the bundle. */
  modulePath: string;
  /** Export of the bundle that handles events. */
  exportName: string;
  functionName: string;
  functionArn: string;
  memoryMb: number;
  /** By which it calls AWS services; undefined: by HTTP. */
  awsPort: MessagePort | undefined;
}

/** Message to the environment. It handles one at a time. */
export interface Invocation {
  requestId: string;
  /** JSON. */
  event: string;
  /** Remaining time. */
  timeoutMs: number;
}

/** An error in the format of Lambda's response. */
export interface InvokeError {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

/** Message from the environment. */
export type EnvironmentMessage =
  | { kind: 'ready' }
  | { kind: 'failed-to-start'; error: InvokeError }
  /** `payload` is JSON; undefined if the handler returned nothing. */
  | { kind: 'result'; payload: string | undefined }
  | { kind: 'error'; error: InvokeError };
