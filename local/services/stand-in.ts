import type { Clock } from '../machine/clock';
import type { Delivery, EndEvent } from './step-functions/execution';
import { openExecutionFile } from './step-functions/execution-file';

/** Work at a service of AWS, as it is kept. */
interface StandInWork {
  arn: string;
  status: string;
  /** When it ends, unless a call or a button ends it before. */
  endsMs: number;
  stoppedMs?: number;
  delivery: Delivery;
}

export interface StandInDeps<Script> {
  clock: Clock;
  newId(): string;
  scripts: readonly Script[];
  /** Where the work is kept; undefined: nowhere. */
  path: string | undefined;
  /** Passes the event of an end to the default bus. */
  publish(event: EndEvent): Promise<void>;
}

/**
 * Stands in for a service that does work. Nothing runs here: what was started waits, then ends as its script
 * says, or as a button of `/_local/machines` says.
 */
export abstract class StandIn<Work extends StandInWork, Script> {
  protected readonly byArn = new Map<string, Work>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly startsOf = new Map<string, number>();
  private readonly file;

  constructor(protected readonly deps: StandInDeps<Script>) {
    this.file = openExecutionFile(deps.path, this.byArn);
    for (const work of this.byArn.values()) if (work.status === 'RUNNING') this.await(work);
  }

  /** Ends work whose time is over. */
  protected abstract endByScript(work: Work): void;
  /** Undefined: its end has no event. */
  protected abstract eventOf(work: Work, id: string): EndEvent | undefined;

  /** How often the event of its end is delivered. The event of one that has ended is delivered once more. */
  deliver(arn: string, delivery: Delivery): Work | undefined {
    const work = this.byArn.get(arn);
    if (!work) return undefined;
    const changed = { ...work, delivery };
    this.write(changed);
    if (changed.status !== 'RUNNING' && delivery === 'twice') this.tell({ ...changed, delivery: 'once' });
    return changed;
  }

  /** All that is known, the newest first. */
  list(): Work[] {
    return [...this.byArn.values()].toReversed();
  }

  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  /** How the next one of this name ends. The last end repeats. */
  protected nextEnd<End>(name: string, ends: readonly End[]): End {
    const starts = this.startsOf.get(name) ?? 0;
    this.startsOf.set(name, starts + 1);
    return ends[Math.min(starts, ends.length - 1)]!;
  }

  protected begin(work: Work): void {
    this.write(work);
    if (work.status === 'RUNNING') this.await(work);
  }

  /** Ends running work now; what has ended stays as it is. Undefined: there is none. */
  protected finish(arn: string, how: Partial<Work>): Work | undefined {
    const work = this.byArn.get(arn);
    if (work?.status !== 'RUNNING') return work;
    clearTimeout(this.timers.get(arn));
    this.timers.delete(arn);
    const ended = { ...work, ...how, stoppedMs: this.deps.clock.nowMs() };
    this.write(ended);
    this.tell(ended);
    return ended;
  }

  /** What was over while nothing ran ends now, as if its event came late. */
  private await(work: Work): void {
    const end = (): void => this.endByScript(work);
    this.timers.set(work.arn, setTimeout(end, Math.max(0, work.endsMs - this.deps.clock.nowMs())));
  }

  private write(work: Work): void {
    this.byArn.set(work.arn, work);
    this.file.append(work);
  }

  private tell(work: Work): void {
    const times = { lost: 0, once: 1, twice: 2 }[work.delivery];
    const event = this.eventOf(work, this.deps.newId());
    if (event) for (let n = 0; n < times; n += 1) void this.deps.publish(event);
  }
}
