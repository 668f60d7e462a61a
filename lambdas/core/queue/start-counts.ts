import { SECOND_MS } from '../clock/clock';

/** Counts messages by the second in which they are to start. A late one starts in the second of its send. */
export class StartCounts {
  private readonly bySecond = new Map<number, Map<string, number>>();

  /** @returns the second in which a message counts, since the epoch */
  static secondOf = (startAtMs: number, nowMs: number): number =>
    Math.floor(Math.max(startAtMs, nowMs) / SECOND_MS);

  /** @returns how many the second has by then */
  add(key: string, second: number): number {
    const counts = this.bySecond.get(second) ?? new Map<string, number>();
    this.bySecond.set(second, counts);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  }

  /** How many start in a second or in one of those before it, `seconds` in all. */
  within(key: string, second: number, seconds: number): number {
    let count = 0;
    for (let at = second; at > second - seconds; at--) count += this.bySecond.get(at)?.get(key) ?? 0;
    return count;
  }

  forgetBefore(second: number): void {
    for (const past of this.bySecond.keys()) if (past < second) this.bySecond.delete(past);
  }
}
