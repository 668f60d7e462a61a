import { perProject } from '../async/per-project';
import type { Clock } from '../clock/clock';
import { compactInstant, dayOf } from '../contracts/tables';
import type { Log } from '../telemetry/telemetry';
import type { UsageStore } from './usage-store';

/** How many bytes requests of a project have written today, in UTC. */
export interface WrittenBytes {
  /** How many a project may write on a day. */
  readonly quota: number;
  /** Does the work, and counts what it writes. What cannot be saved of the count is left out. */
  during<Result>(project: string, work: () => Promise<Result>): Promise<Result>;
  /** The sum of all processes, as far as this one knows it, and its own. Cost: half a read unit a day. */
  today(project: string): Promise<number>;
  /** What this process has not saved yet. */
  unsaved(project: string): number;
}

/** Knows what the stores write. */
export interface WriteCounter {
  /** Does the work, and tells `done` the bytes that it wrote, also if it fails. */
  counting<Result>(work: () => Promise<Result>, done: (bytes: number) => Promise<void>): Promise<Result>;
}

/** Share of the quota that one process may leave unsaved. Fifty processes together stay below 5 %. */
const UNSAVED_SHARE = 0.001;

/** A day of a project, as this process knows it. */
interface KnownDay {
  day: string;
  /** The sum of all processes, as of the last read or write; undefined: not read yet. */
  stored?: number;
  unsaved: number;
}

/**
 * The count is kept in the project's row of usage. A process adds to it in steps of a thousandth of the
 * quota, so hardly any request costs a write for it.
 */
export function writtenBytesOf(
  quota: number,
  {
    usage,
    clock,
    log,
    counting,
  }: WriteCounter & { usage: UsageStore; clock: Pick<Clock, 'nowMs'>; log: Log },
): WrittenBytes {
  const lastOf = perProject<{ known?: KnownDay }>(() => ({}));
  const step = Math.max(1, Math.floor(quota * UNSAVED_SHARE));

  /** A new object for each day: a write of the last one may still be under way. */
  const knownOf = (project: string): KnownDay => {
    const last = lastOf(project);
    const day = dayOf(compactInstant(clock.nowMs()));
    if (last.known?.day !== day) last.known = { day, unsaved: 0 };
    return last.known;
  };

  async function add(project: string, bytes: number): Promise<void> {
    const known = knownOf(project);
    known.unsaved += bytes;
    if (known.unsaved < step) return;
    const added = known.unsaved;
    // Reset before the write: if only its response is lost, the bytes must not count twice.
    known.unsaved = 0;
    known.stored = (known.stored ?? 0) + added;
    try {
      known.stored = Math.max(known.stored, await usage.addWritten(project, known.day, added));
    } catch (error) {
      log.warn('written bytes were not counted', { project, bytes: added, error });
    }
  }

  return {
    quota,
    during: (project, work) => counting(work, (bytes) => add(project, bytes)),
    async today(project) {
      const known = knownOf(project);
      if (known.stored === undefined) {
        const stored = await usage.writtenOn(project, known.day);
        known.stored = Math.max(known.stored ?? 0, stored);
      }
      return known.stored + known.unsaved;
    },
    unsaved: (project) => knownOf(project).unsaved,
  };
}

/** Where requests are not what writes: nothing is counted. */
export const UNCOUNTED: WrittenBytes = {
  quota: Number.POSITIVE_INFINITY,
  during: (_, work) => work(),
  today: async () => 0,
  unsaved: () => 0,
};
