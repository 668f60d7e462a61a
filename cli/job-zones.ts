import { NotFoundError, type Quarterjack } from '../client';
import { inParallel } from './in-parallel';
import { timeZoneOf } from './schedule-text';

/** Each costs a request. The executions of further jobs are shown in UTC alone. */
const MAX_JOBS = 50;

/** The time zones of jobs' schedules. Each job is read once. */
export class JobZones {
  private readonly zones = new Map<string, string | undefined>();

  constructor(private readonly client: Quarterjack) {}

  /** Undefined if the schedule has none, and for a deleted job. */
  async of(jobId: string): Promise<string | undefined> {
    if (!this.zones.has(jobId)) this.zones.set(jobId, await this.read(jobId));
    return this.zones.get(jobId);
  }

  /** The zones of the first 50 jobs that are named, by jobId. */
  async ofAll(executions: readonly { jobId: string }[]): Promise<ReadonlyMap<string, string | undefined>> {
    const jobIds = [...new Set(executions.map(({ jobId }) => jobId))];
    const wanted = jobIds.filter((jobId) => !this.zones.has(jobId)).slice(0, MAX_JOBS);
    await inParallel(wanted, (jobId) => this.of(jobId));
    return this.zones;
  }

  private async read(jobId: string): Promise<string | undefined> {
    try {
      return timeZoneOf((await this.client.jobs.get(jobId)).schedule);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}
