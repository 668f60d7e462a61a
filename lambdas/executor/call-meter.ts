import { perProject } from '../core/async/per-project';
import { startTimer } from '../core/async/start-timer';
import { type Clock, SECOND_MS } from '../core/clock/clock';
import type { ExecutionMessage } from '../core/contracts/messages';
import { userPartOf } from '../core/contracts/tables';
import { type CallLoad, LOAD_WINDOW_MS, NO_LOAD } from '../core/domain/call-load';
import type { CallLoadStore } from '../core/store/call-load-store';
import type { Log } from '../core/telemetry/telemetry';

/** A call that is open for longer reports before its end. */
const FIRST_REPORT_AFTER_MS = SECOND_MS / 2;
/** What a process may leave unsaved of each project and pool. */
const UNSAVED_MS = 5 * SECOND_MS;
/** A process saves no more often, so that the row of a busy project takes its writes. */
const SAVE_EVERY_MS = SECOND_MS;

export interface CallMeterDeps {
  callLoads: Pick<CallLoadStore, 'add'>;
  clock: Clock;
  log: Log;
}

/** What a process knows of a project in a pool, and has not saved yet. */
interface Unsaved {
  load: CallLoad;
  /** Monotonic time of the last save. */
  savedAtMs: number;
}

type Of = Pick<ExecutionMessage, 'jobKey' | 'pool'>;

/**
 * Measures how long calls hold this executor, and adds that to the load of their project and pool. A call
 * that is open for half a second counts until its next report, ten seconds later. So senders know of it in
 * time, and its end corrects that. Shorter calls are saved many at a time.
 */
export class CallMeter {
  private readonly poolsOf = perProject(() => new Map<string, Unsaved>());
  private saving = new Set<Promise<void>>();

  constructor(private readonly deps: CallMeterDeps) {}

  /** @returns what is to be called when the call is over, once */
  begin({ jobKey, pool }: Of): () => void {
    const { clock } = this.deps;
    const userId = userPartOf(jobKey);
    const startedMs = clock.monotonicMs();
    let reportedMs = 0;
    let calls = 1;
    const report = (untilMs: number) => {
      this.add(userId, pool, { calls, heldMs: untilMs - startedMs - reportedMs });
      reportedMs = untilMs - startedMs;
      calls = 0;
    };
    let cancel = startTimer(clock, FIRST_REPORT_AFTER_MS, function onOpen() {
      report(clock.monotonicMs() + LOAD_WINDOW_MS);
      cancel = startTimer(clock, LOAD_WINDOW_MS, onOpen);
    });
    return () => {
      cancel();
      report(clock.monotonicMs());
    };
  }

  /** Resolves when what is being saved is saved. */
  async saved(): Promise<void> {
    await Promise.all(this.saving);
  }

  private add(userId: string, pool: string, { calls, heldMs }: CallLoad): void {
    const { clock, log, callLoads } = this.deps;
    const pools = this.poolsOf(userId);
    const unsaved = pools.get(pool) ?? { load: NO_LOAD, savedAtMs: Number.NEGATIVE_INFINITY };
    pools.set(pool, unsaved);
    unsaved.load = { calls: unsaved.load.calls + calls, heldMs: unsaved.load.heldMs + heldMs };
    if (Math.abs(unsaved.load.heldMs) < UNSAVED_MS) return;
    if (clock.monotonicMs() - unsaved.savedAtMs < SAVE_EVERY_MS) return;
    const load = unsaved.load;
    unsaved.load = NO_LOAD;
    unsaved.savedAtMs = clock.monotonicMs();
    const save = callLoads
      .add({ userId, pool }, load, clock.nowMs())
      .catch((error: unknown) => log.warn('load of a project was not saved', { userId, pool, error }))
      .finally(() => this.saving.delete(save));
    this.saving.add(save);
  }
}
