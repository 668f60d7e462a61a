import type { AllowedEntry } from '../action';
import type { Json } from '../json';
import type { Value } from './value';

/** What a Task state calls. */
export interface Call {
  target: Json;
  input: unknown;
  service: 'lambda' | 'http' | 'message' | 'start' | 'work' | 'action';
  /** For work that is waited for: a job of its own does it. */
  work?: { called: readonly string[]; mostSec: number };
  /** For an action of AWS: what the deployment has to allow. */
  allowed?: AllowedEntry;
  /** What the state gets back, given the output of the task. */
  resultOf: (output: string) => Value;
}
