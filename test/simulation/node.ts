import type { Clock } from '../../lambdas/core/clock/clock';
import type { FakeRandom } from '../support/fake-random';
import type { FakeClock } from '../support/fake-clock';
import type { NodeFault, Stage } from './faults';

/**
 * One invocation of one stage: a process of its own, with a clock of its own, that can die or freeze wherever it waits
 * for something. What waits for a dead node waits for ever; what waits for a frozen one goes on when it thaws.
 */
export class SimNode {
  private awaits = 0;
  private deadBy: string | undefined;
  private frozenUntilMs = 0;
  private readonly mourners: (() => void)[] = [];
  private readonly bornAheadMs: number;
  readonly clock: Clock;

  constructor(
    readonly name: string,
    readonly stage: Stage,
    readonly random: FakeRandom,
    private readonly time: FakeClock,
    /** How far its wall clock is ahead now. */
    private offsetMs: number,
    private readonly mostOffMs: number,
    private readonly lesion: NodeFault | undefined,
    private readonly report: (
      type: 'killed' | 'frozen' | 'stepped',
      node: SimNode,
      detail: string,
      forMs?: number,
    ) => void,
  ) {
    this.bornAheadMs = offsetMs;
    this.clock = {
      nowMs: () => Math.floor(time.nowMs() + this.offsetMs),
      monotonicMs: () => time.monotonicMs(),
      sleep: async (ms, signal) => {
        await time.sleep(ms, signal);
        await this.gate();
      },
    };
  }

  /** How far its wall clock has been ahead at the most. */
  get aheadMs(): number {
    return Math.max(this.offsetMs, this.bornAheadMs);
  }

  get dead(): boolean {
    return this.deadBy !== undefined;
  }

  /** Whatever the node waits for comes through here before the node goes on. */
  async gate(): Promise<void> {
    this.awaits += 1;
    if (this.lesion && this.awaits === this.lesion.afterAwaits) this.suffer(this.lesion);
    while (!this.dead && this.time.monotonicMs() < this.frozenUntilMs) {
      // Whoever was waiting goes on in no particular order when the node thaws.
      await this.time.sleep(this.frozenUntilMs - this.time.monotonicMs() + this.random.fraction() * 2);
    }
    if (this.dead) await new Promise(() => undefined);
  }

  /** Waits for something outside of the node. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await this.gate();
    }
  }

  kill(by: string): void {
    if (this.dead) return;
    this.deadBy = by;
    this.report('killed', this, by);
    for (const mourn of this.mourners.splice(0)) mourn();
  }

  onDeath(mourn: () => void): void {
    if (this.dead) mourn();
    else this.mourners.push(mourn);
  }

  private suffer({ kind, forMs, to, afterAwaits }: NodeFault): void {
    if (kind === 'kill') return this.kill(`at its await ${afterAwaits}`);
    if (kind === 'step') {
      const before = this.offsetMs;
      this.offsetMs = Math.round(to * this.mostOffMs);
      return this.report('stepped', this, `by ${this.offsetMs - before} ms`);
    }
    this.frozenUntilMs = this.time.monotonicMs() + forMs;
    this.report('frozen', this, `for ${forMs} ms`, forMs);
  }
}
