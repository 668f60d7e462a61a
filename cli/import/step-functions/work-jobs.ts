import { type ImportedJob, SOURCE_TAG } from '../imported';
import type { Json } from '../json';
import type { Call } from './call';

const MAX_ID = 64;

/** The jobs that do what states wait for. A task starts its job as a child, and ends as that has ended. */
export class WorkJobs {
  readonly made: ImportedJob[] = [];
  readonly called = new Set<string>();

  constructor(
    private readonly source: string,
    private readonly machineId: string,
  ) {}

  /** Adds the job of a state. Returns its id. */
  add(state: string, { target, work }: Call, limits: Json): string {
    const jobId = this.idFor(state);
    const hasTemplates = JSON.stringify(target).includes('{{');
    const definition = {
      schedule: { type: 'none' },
      target,
      ...(hasTemplates && { templates: true }),
      ...limits,
      tags: { [SOURCE_TAG]: 'step-functions' },
    };
    this.made.push({ source: `${this.source}: ${state}`, jobId, definition, notes: [] });
    for (const arn of work?.called ?? []) this.called.add(arn);
    return jobId;
  }

  private idFor(state: string): string {
    const name = state.replace(/[^A-Za-z0-9._-]+/g, '-');
    for (let count = 1; ; count++) {
      const suffix = `.${name}`.slice(0, MAX_ID / 2) + (count === 1 ? '' : `-${count}`);
      const jobId = this.machineId.slice(0, MAX_ID - suffix.length) + suffix;
      if (this.made.every((one) => one.jobId !== jobId)) return jobId;
    }
  }
}
