import { setTimeout as sleep } from 'node:timers/promises';

import type { Needs } from '../../support/iam/needs';
import type { Host } from '../../support/local/host';

const EVERY_MS = 500;

/** Follows the IAM decisions of a host, and so learns which grants its stages have used. */
export class Watch {
  private seen = 0;
  /** One read at a time, so that none skips decisions. */
  private reading: Promise<void> | undefined;

  constructor(
    private readonly needs: Needs,
    private readonly host: Host,
  ) {}

  /** Grants that no request has used so far. */
  async unneeded(): Promise<readonly string[]> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    await this.reading;
    return this.needs.unneeded;
  }

  /** Waits until every grant that begins with `beginning` has been used. False if that takes too long. */
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
