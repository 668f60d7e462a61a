/** What an execution environment is started with. */
export interface EnvironmentData {
  /** Absolute path of the bundle. */
  modulePath: string;
  /** Export of the bundle that takes events. */
  exportName: string;
  functionName: string;
  functionArn: string;
  memoryMb: number;
}

/** To the environment. One at a time. */
export interface Invocation {
  requestId: string;
  /** JSON text. */
  event: string;
  /** Time left, from now. */
  timeoutMs: number;
}

/** An error as Lambda puts it into its answer. */
export interface InvokeError {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

/** From the environment. */
export type EnvironmentMessage =
  | { kind: 'ready' }
  | { kind: 'failed-to-start'; error: InvokeError }
  /** `payload` is JSON text; undefined where the handler returned nothing. */
  | { kind: 'result'; payload: string | undefined }
  | { kind: 'error'; error: InvokeError };
