import type { DefinedJob } from './defined-job';
import { readModule } from './manifest-job';
import { serve } from './serve';

/** What programs that load a module of jobs find of it: the jobs, what serves them, and what reads them. */
export interface Registry {
  jobs: DefinedJob[];
  serve: typeof serve;
  readModule: typeof readModule;
}

const REGISTRY = Symbol.for('quarterjack.jobs/1');

/** Two copies of this package in one process share the registry. */
export function registerJob(job: DefinedJob): void {
  const place = globalThis as { [REGISTRY]?: Registry };
  const registry = (place[REGISTRY] ??= { jobs: [], serve, readModule });
  registry.jobs.push(job);
}
