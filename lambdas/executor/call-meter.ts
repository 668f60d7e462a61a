import { perProject } from '../core/async/per-project';
import { startTimer } from '../core/async/start-timer';
import { type Clock, SECOND_MS } from '../core/clock/clock';
import type { ExecutionMessage } from '../core/contracts/messages';
import { userPartOf } from '../core/contracts/tables';
import { LOAD_WINDOW_MS } from '../core/domain/call-load';
import type { CallLoadStore } from '../core/store/call-load-store';
import type { Log } from '../core/telemetry/telemetry';

/** A call that is open for longer reports before its end. */
const FIRST_REPORT_AFTER_MS = SECOND_MS / 2;
/** What a process may leave unsaved of each project and pool. */
const UNSAVED_MS = 5 * SECOND_MS;

export interface CallMeterDeps {
  callLoads: Pick<CallLoadStore, 'add'>;
  clock: Clock;
  log: Log;
}

/** What a process knows of a project in a pool. */
class Occupied {
  /** Calls that are open now. While there is one, the project holds this executor. */
  open = 0;
  unsavedMs = 0;
  /** Monotonic time through which the project counts as holding the executor. */
  reportedThroughMs = 0;
  cancelReport = (): void => undefined;
}

/**
 * Measures how long calls hold this executor, and adds that to the load of their project and pool. Calls that
 * are open side by side hold it once. After half a second it counts as held until the next report, ten
 * seconds later. So other executors know of it in time, and the end corrects that. Shorter times are saved
 * many together.
 */
export class CallMeter {
  private readonly occupiedBy = perProject(() => new Occupied());
  private readonly saving = new Set<Promise<void>>();

  constructor(private readonly deps: CallMeterDeps) {}

  /** @returns what is to be called when the call is over, once */
  begin({ jobKey, pool }: Pick<ExecutionMessage, 'jobKey' | 'pool'>): () => void {
    const { clock } = this.deps;
    const of = { userId: userPartOf(jobKey), pool };
    const occupied = this.occupiedBy(`${pool}/${of.userId}`);
    occupied.open += 1;
    if (occupied.open === 1) {
      occupied.reportedThroughMs = clock.monotonicMs();
      this.reportAfter(FIRST_REPORT_AFTER_MS, occupied, of);
    }
    return () => {
      occupied.open -= 1;
      if (occupied.open > 0) return;
      occupied.cancelReport();
      this.report(clock.monotonicMs(), occupied, of);
    };
  }

  /** Resolves when what is being saved is saved. */
  async saved(): Promise<void> {
    await Promise.all(this.saving);
  }

  private reportAfter(ms: number, occupied: Occupied, of: { userId: string; pool: string }): void {
    const { clock } = this.deps;
    occupied.cancelReport = startTimer(clock, ms, () => {
      this.report(clock.monotonicMs() + LOAD_WINDOW_MS, occupied, of);
      this.reportAfter(LOAD_WINDOW_MS, occupied, of);
    });
  }

  private report(throughMs: number, occupied: Occupied, of: { userId: string; pool: string }): void {
    occupied.unsavedMs += throughMs - occupied.reportedThroughMs;
    occupied.reportedThroughMs = throughMs;
    if (Math.abs(occupied.unsavedMs) < UNSAVED_MS) return;
    const heldMs = occupied.unsavedMs;
    occupied.unsavedMs = 0;
    this.save(heldMs, of);
  }

  private save(heldMs: number, of: { userId: string; pool: string }): void {
    const { callLoads, clock, log } = this.deps;
    const save = callLoads
      .add(of, heldMs, clock.nowMs())
      .catch((error: unknown) => log.warn('load of a project was not saved', { ...of, error }))
      .finally(() => this.saving.delete(save));
    this.saving.add(save);
  }
}
