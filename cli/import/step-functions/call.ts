import type { Json } from '../json';
import type { Value } from './value';

/** What a Task state calls. */
export interface Call {
  target: Json;
  input: unknown;
  service: 'lambda' | 'http' | 'message' | 'start' | 'work';
  /** For work that is waited for: a job of its own does it. */
  work?: { called: readonly string[]; mostSec: number };
  /** What the state gets back, given the output of the task. */
  resultOf: (output: string) => Value;
}
