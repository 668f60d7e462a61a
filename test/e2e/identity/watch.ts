import { setTimeout as sleep } from 'node:timers/promises';

import type { Needs } from '../../support/iam/needs';
import type { Host } from '../../support/local/host';

const EVERY_MS = 500;

/** Follows what the stages of a host are allowed, and so which grants have come to be needed. */
export class Watch {
  private seen = 0;
  /** One at a time, or what came between two would be passed over. */
  private reading: Promise<void> | undefined;

  constructor(
    private readonly needs: Needs,
    private readonly host: Host,
  ) {}

  /** Grants that nothing has needed so far. */
  async unneeded(): Promise<readonly string[]> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    await this.reading;
    return this.needs.unneeded;
  }

  /** Whether, before the time is up, each grant is needed whose spelling begins so. */
  async areNeeded(beginning: string, withinMs: number): Promise<boolean> {
    const untilMs = Date.now() + withinMs;
    for (;;) {
      if (!(await this.unneeded()).some((grant) => grant.startsWith(beginning))) return true;
      if (Date.now() > untilMs) return false;
      await sleep(EVERY_MS);
    }
  }

  private async read(): Promise<void> {
    const fresh = await this.host.decisions(this.seen);
    this.seen += fresh.length;
    this.needs.learn(fresh);
  }
}
