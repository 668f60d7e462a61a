import { SECOND_MS } from '../core/clock/clock';
import type { Signal } from './decide-ping';

const WINDOW_MS = 10 * SECOND_MS;
/** Pings of one key in a window. */
const MOST = 5;
/** Keys that a process remembers. */
const MAX_KEYS = 10_000;

interface Recent {
  atMs: number[];
  /** When one was let in beyond the bound. */
  beyondMs: number;
  /** What its last ping said. */
  last?: Signal['kind'];
}

/**
 * What a process remembers of keys, so that a flood reads and writes next to nothing. Beyond the bound, only
 * what says something new passes, once a second. Keys are counted whole: one that is wrong or was rotated
 * takes nothing from the true one.
 */
export class RecentPings {
  private readonly keys = new Map<string, Recent>();

  /** @returns undefined: it passes; else after how many seconds it may come again */
  admit(key: string, { kind }: Signal, nowMs: number): number | undefined {
    const recent = this.recentOf(key);
    recent.atMs = recent.atMs.filter((atMs) => nowMs - atMs < WINDOW_MS);
    const isNews = kind !== recent.last && kind !== 'log';
    if (recent.atMs.length >= MOST) {
      if (!isNews) return Math.max(1, Math.ceil((recent.atMs[0]! + WINDOW_MS - nowMs) / SECOND_MS));
      if (nowMs - recent.beyondMs < SECOND_MS) return 1;
      recent.beyondMs = nowMs;
    } else recent.atMs.push(nowMs);
    if (kind !== 'log') recent.last = kind;
    return undefined;
  }

  private recentOf(key: string): Recent {
    const known = this.keys.get(key);
    if (known) return known;
    if (this.keys.size >= MAX_KEYS) this.keys.delete(this.keys.keys().next().value!);
    const recent: Recent = { atMs: [], beyondMs: 0 };
    this.keys.set(key, recent);
    return recent;
  }
}
