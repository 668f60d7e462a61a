import type { Clock } from '../../lambdas/core/clock/clock';
import { MESSAGE_VERSION } from '../../lambdas/core/contracts/messages';
import type { FakeClock } from '../support/fake-clock';
import type { FakeRandom } from '../support/fake-random';
import type { NodeFault, Stage } from './faults';

/**
 * One invocation of one stage: a process with its own clock. It can die or freeze wherever it waits. The code
 * that waits in a dead node waits for ever. The code that waits in a frozen one goes on when the node thaws.
 */
export class SimNode {
  /** The version of the code that it runs. */
  version = MESSAGE_VERSION as number;
  /** Its rows lack what the version before the present one does not write. */
  writesOldRows = false;
  /** When its invocation has answered, on the observer's wall clock. What it leaves pending is given up. */
  answeredMs: number | undefined;
  private awaits = 0;
  private deadBy: string | undefined;
  private frozenUntilMs = 0;
  private suspension: { over: Promise<void>; end: () => void } | undefined;
  private readonly deathListeners: (() => void)[] = [];
  private readonly firstOffsetMs: number;
  readonly clock: Clock;

  constructor(
    readonly name: string,
    readonly stage: Stage,
    readonly random: FakeRandom,
    private readonly time: FakeClock,
    /** How far its wall clock is ahead now. */
    private offsetMs: number,
    private readonly mostOffMs: number,
    private readonly fault: NodeFault | undefined,
    private readonly report: (
      type: 'killed' | 'frozen' | 'stepped',
      node: SimNode,
      detail: string,
      forMs?: number,
    ) => void,
  ) {
    this.firstOffsetMs = offsetMs;
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
    return Math.max(this.offsetMs, this.firstOffsetMs);
  }

  /** How far its wall clock has been ahead at the least. Negative: it was behind. */
  get leastAheadMs(): number {
    return Math.min(this.offsetMs, this.firstOffsetMs);
  }

  get dead(): boolean {
    return this.deadBy !== undefined;
  }

  /** Every wait of the node passes here before the node goes on. */
  async gate(): Promise<void> {
    this.awaits += 1;
    if (this.fault && this.awaits === this.fault.afterAwaits) this.apply(this.fault);
    while (!this.dead && this.time.monotonicMs() < this.frozenUntilMs) {
      // All waits go on in no particular order when the node thaws.
      await this.time.sleep(this.frozenUntilMs - this.time.monotonicMs() + this.random.fraction() * 2);
    }
    while (!this.dead && this.suspension) {
      await this.suspension.over;
      await this.time.sleep(this.random.fraction() * 2);
    }
    if (this.dead) await new Promise(() => undefined);
  }

  /** Its environment freezes with its answer, as in Lambda. What is still pending waits for `resume`. */
  suspend(): void {
    if (this.suspension) return;
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.suspension = { over, end };
  }

  /** The next invocation of its environment begins. */
  resume(): void {
    const { suspension } = this;
    this.suspension = undefined;
    suspension?.end();
  }

  kill(by: string): void {
    if (this.dead) return;
    this.deadBy = by;
    this.report('killed', this, by);
    for (const listener of this.deathListeners.splice(0)) listener();
  }

  onDeath(listener: () => void): void {
    if (this.dead) listener();
    else this.deathListeners.push(listener);
  }

  private apply({ kind, forMs, to, afterAwaits }: NodeFault): void {
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
