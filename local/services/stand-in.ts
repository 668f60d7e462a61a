import type { Clock } from '../machine/clock';
import type { Delivery, EndEvent } from './step-functions/execution';
import { openExecutionFile } from './step-functions/execution-file';

const TO_END = ['end well', 'end badly', 'interrupt it'] as const;
export type ToEnd = (typeof TO_END)[number];
/** The buttons of the page of stand-ins. */
export const BUTTONS = [...TO_END, 'lose the event', 'send it twice'] as const;
type Button = (typeof BUTTONS)[number];

/** What the page of stand-ins shows of work. */
export interface Shown {
  /** Name of the state machine, of the task definition, and so on. */
  of: string;
  name: string;
  input: string;
  cause?: string | undefined;
}

interface ShownWork extends Shown {
  arn: string;
  startedMs: number;
  status: string;
  delivery: string;
  buttons: readonly Button[];
}

/** Work at a service of AWS, as it is kept. */
interface StandInWork {
  arn: string;
  startedMs: number;
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
    for (const work of this.byArn.values()) this.count(this.scriptNameOf(work));
    for (const work of this.byArn.values()) if (work.status === 'RUNNING') this.await(work);
  }

  /** The name by which a script is chosen. It knows nothing but the work: it is asked while one is made. */
  protected abstract scriptNameOf(work: Work): string;
  /** Ends work whose time is over. */
  protected abstract endByScript(work: Work): void;
  protected abstract shown(work: Work): Shown;
  /** Ends work as a button says. Undefined: there is no such work, or no such end of it. */
  protected abstract endBy(arn: string, act: ToEnd): Work | undefined;
  /** The ends of this service that buttons have. */
  protected abstract endsBy(work: Work): readonly ToEnd[];
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

  /** What the page shows. What has ended can have its event sent again, and nothing else. */
  page(): ShownWork[] {
    return this.list().map((work) => {
      const { arn, startedMs, status, delivery } = work;
      const ends = this.endsBy(work);
      const toPress: Button[] =
        status === 'RUNNING' ? [...ends, 'lose the event', 'send it twice'] : ['send it twice'];
      const buttons = ends.length === 0 ? [] : toPress;
      return { arn, startedMs, status, delivery, ...this.shown(work), buttons };
    });
  }

  /** Does what a button says. Undefined: there is no such work, or no such button. */
  press(arn: string, act: Button): object | undefined {
    if (act === 'lose the event') return this.deliver(arn, 'lost');
    if (act === 'send it twice') return this.deliver(arn, 'twice');
    return this.endBy(arn, act);
  }

  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  /** How the next one of this name ends. The last end repeats. A new process counts what was kept. */
  protected nextEnd<End>(name: string, ends: readonly End[]): End {
    return ends[Math.min(this.count(name), ends.length - 1)]!;
  }

  /** Counts one more of a name. Returns how many came before it. */
  private count(name: string): number {
    const starts = this.startsOf.get(name) ?? 0;
    this.startsOf.set(name, starts + 1);
    return starts;
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
