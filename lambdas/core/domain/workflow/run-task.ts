import type { Run } from '../execution';
import type { Graph } from './graph';

/** A task of a run, by its index in the graph of the run's version. */
export interface RunTask {
  run: Run;
  graph: Graph;
  index: number;
}
