import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { Entry } from '../../lambdas/core/domain/entry';
import type { ScheduleStore } from '../../lambdas/core/store/schedule-store';
import type { Log } from '../../lambdas/core/telemetry/telemetry';
import type { FakeClock } from '../support/fake-clock';
import type { MemoryQueue } from '../support/memory-queue';
import type { AuditRecord, EventLog } from './log';

/** By what the auditor warns of. */
const REPAIRS: Readonly<Record<string, AuditRecord['what']>> = {
  'active job had no future entry': 'series',
  'active job had no entry of its expectEvery': 'expectation',
  'what fell due had no end': 'history',
};

interface AuditedWorld {
  time: Pick<FakeClock, 'nowMs'>;
  log: Pick<EventLog, 'add'>;
  queue: Pick<MemoryQueue, 'messages'>;
}

/** One invocation of the auditor. Each of its repairs goes into the log, with what it has filed for it. */
export class AuditPass {
  private readonly sinceMs: number;
  private filed: Entry[] = [];
  private repairs = 0;

  constructor(private readonly world: AuditedWorld) {
    this.sinceMs = world.time.nowMs();
  }

  watched<Deps extends { schedule: ScheduleStore; log: Log }>(deps: Deps): Deps {
    const schedule: ScheduleStore = {
      ...deps.schedule,
      putEntries: async (entries, withinMs) => {
        await deps.schedule.putEntries(entries, withinMs);
        this.filed.push(...entries);
      },
    };
    const log: Log = {
      info: (message, fields) => deps.log.info(message, fields),
      error: (message, cause, fields) => deps.log.error(message, cause, fields),
      warn: (message, fields) => {
        deps.log.warn(message, fields);
        const what = REPAIRS[message];
        if (what) this.repaired(what, fields as unknown as Repaired);
      },
    };
    return { ...deps, schedule, log };
  }

  /** Throws unless each of the repairs that it counts is in the log: a warning may have changed. */
  ended(repairs: number): void {
    if (repairs !== this.repairs)
      throw new Error(`the auditor counts ${repairs} repairs, and has warned of ${this.repairs}`);
  }

  private repaired(what: AuditRecord['what'], { userId, jobId, missed }: Repaired): void {
    const { log, queue } = this.world;
    const jobKey = jobKeyOf({ userId, jobId });
    const isOwn = (one: { jobKey: string }) => one.jobKey === jobKey;
    log.add({
      src: 'auditor',
      type: 'repaired',
      what,
      jobKey,
      missed,
      sinceMs: this.sinceMs,
      filed: this.filed.filter(isOwn),
      queued: [...new Set(queue.messages.filter(isOwn).map(({ execId }) => execId))],
    });
    this.repairs += 1;
    this.filed = [];
  }
}

interface Repaired {
  userId: string;
  jobId: string;
  missed?: number;
}
