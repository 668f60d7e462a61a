import { CliError, explain } from '../../exit-codes';
import { plural } from '../../terminal/plural';
import { statusText } from '../../work/exit-outcome';
import type { JobsProgram } from './jobs-program';
import type { Loaded } from './messages';
import type { Relay } from './relay';
import type { SourceWatch } from './source-watch';

export interface RoundsDeps {
  module: string;
  start(): Promise<JobsProgram>;
  /** Checks what the program defines. Resolves to a function that registers it, and says what has changed. */
  plan(loaded: Loaded): Promise<() => Promise<string>>;
  relay: Pick<Relay, 'moveTo'>;
  watch: Pick<SourceWatch, 'watch' | 'next'>;
  /** Files that belong to each program beside its own. */
  files: readonly string[];
  nowMs(): number;
  say(line: string): void;
  /** Aborts when the run ends. */
  signal: AbortSignal;
}

/** A program that ends sooner after its start is broken. */
const SOON_MS = 10_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;

/**
 * Keeps a program of the newest sources behind the relay. One that cannot be loaded, or whose jobs are
 * refused, changes nothing. One that ends is started again.
 */
export class Rounds {
  private current: JobsProgram | undefined;
  private startedAtMs = 0;
  private delayMs = 0;
  private readonly ending = new Map<JobsProgram, Promise<void>>();
  private readonly aborted: Promise<'stopped'>;

  constructor(private readonly deps: RoundsDeps) {
    this.aborted = new Promise((resolve) =>
      deps.signal.addEventListener('abort', () => resolve('stopped'), { once: true }),
    );
  }

  /** Resolves once the signal aborts. Calls `afterFirst` when the first program is there, or has failed. */
  async run(afterFirst: () => void): Promise<void> {
    for (let isFirst = true; !this.deps.signal.aborted; isFirst = false) {
      const changed = this.deps.watch.next().then(() => 'changed' as const);
      await this.replace(changed);
      if (isFirst) afterFirst();
      const why = await Promise.race([changed, this.died(), this.aborted]);
      if (why === 'died') await Promise.race([this.delay(), changed, this.aborted]);
    }
  }

  /** Ends all programs. */
  async end(): Promise<void> {
    await Promise.all([this.current?.finish(), ...this.ending.values()]);
  }

  /** Ends all programs by force. */
  async kill(): Promise<void> {
    await Promise.all([this.current?.kill(), ...[...this.ending.keys()].map((former) => former.kill())]);
  }

  private async replace(changed: Promise<'changed'>): Promise<void> {
    const { start, watch, files, nowMs } = this.deps;
    const sinceMs = nowMs();
    let program: JobsProgram | undefined;
    try {
      program = await start();
      const result = await Promise.race([program.loaded, changed, this.aborted]);
      if (typeof result === 'string') return await program.kill();
      watch.watch([...result.files, ...files], { sinceMs, takesAny: 'error' in result });
      if ('error' in result) throw new CliError(result.error);
      await this.take(program, result, sinceMs);
    } catch (error) {
      this.explainFailure(error, program);
      if (program !== this.current) await program?.kill();
    }
  }

  /** What the API accepts is served before it is registered: a new job finds its program. */
  private async take(program: JobsProgram, loaded: Loaded, sinceMs: number): Promise<void> {
    const { plan, relay, say, module } = this.deps;
    const register = await plan(loaded);
    const former = this.current;
    this.current = program;
    this.startedAtMs = sinceMs;
    relay.moveTo(loaded.port);
    if (former) this.finish(former);
    const unexported = loaded.unexported.length > 0 ? `; not exported: ${loaded.unexported.join(', ')}` : '';
    say(`${module}: ${plural(loaded.jobs.length, 'job')}, ${await register()}${unexported}`);
  }

  private explainFailure(error: unknown, program: JobsProgram | undefined): void {
    const { signal, say } = this.deps;
    if (signal.aborted) return;
    say(explain(error));
    if (this.current === undefined) say('No job is served until this is mended.');
    else if (program !== this.current) say('The jobs stay as they were.');
  }

  private finish(former: JobsProgram): void {
    this.ending.set(
      former,
      former.finish().finally(() => this.ending.delete(former)),
    );
  }

  /** Never settles if there is no program. */
  private async died(): Promise<'died'> {
    const program = this.current;
    if (!program) return new Promise(() => undefined);
    const status = await program.exited;
    if (program !== this.current || this.deps.signal.aborted) return new Promise(() => undefined);
    this.current = undefined;
    this.deps.relay.moveTo(undefined);
    this.finish(program);
    this.deps.say(`The program of the jobs has ended (${statusText(status)}). It is started again.`);
    return 'died';
  }

  private async delay(): Promise<void> {
    const isSoon = this.deps.nowMs() - this.startedAtMs < SOON_MS;
    this.delayMs = isSoon ? Math.min(LONGEST_DELAY_MS, 2 * this.delayMs || FIRST_DELAY_MS) : 0;
    await new Promise<void>((resolve) => setTimeout(resolve, this.delayMs).unref());
  }
}
