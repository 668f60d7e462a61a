import type { ErrandType } from '../../lambdas/core/contracts/errand-services';
import type { ProbeRequest, WatchMessage } from '../../lambdas/core/contracts/messages';
import type { ErrandProbes, ErrandStarts } from '../../lambdas/core/delivery/errands/errand-calls';
import type {
  ErrandEnd,
  ErrandEvent,
  ErrandStart,
  KnownErrand,
  Probed,
  Started,
} from '../../lambdas/core/delivery/errands/errand-kind';
import type { StageDeps } from '../../lambdas/core/deps';
import { ProbeBudget } from '../../lambdas/core/domain/probe-budget';
import { watch } from '../../lambdas/watcher/watch';
import type { FakeClock } from '../support/fake-clock';
import type { FakeRandom } from '../support/fake-random';
import type { Faults } from './faults';
import type { EventLog } from './log';
import type { SimNode } from './node';

/** What the names of all errands of the simulation begin with. */
export const ERRAND_PREFIX = 'qj-51ab07';
const SECOND_MS = 1_000;
const COMES_AGAIN_MS = 60 * SECOND_MS;
/** A message that the watcher could not handle until then becomes a dead letter. */
const MOST_RECEIVES = 60;
/** A listing that lags does not for longer than this. */
const STALE_MS = 5 * SECOND_MS;
/** ECS forgets a task, and the token of its start, so long after its end. */
const FORGOTTEN_MS = 3_600 * SECOND_MS;

interface Work {
  type: ErrandType;
  /** What its service calls it, for kinds that have ids. */
  id?: string;
  input: string;
  resource: string;
  startedMs: number;
  end?: ErrandEnd;
  endedMs?: number;
  stop: AbortController;
}

interface ErrandWorld {
  time: FakeClock;
  random: FakeRandom;
  faults: Faults;
  log: EventLog;
  /** One invocation of the watcher. */
  invoke(
    work: (deps: StageDeps, node: SimNode) => ReturnType<typeof watch>,
  ): Promise<{ how: 'done'; value: Awaited<ReturnType<typeof watch>> } | { how: 'failed' | 'killed' }>;
}

/** How long CodeBuild remembers the token of a start. */
const TOKEN_MS = 300 * SECOND_MS;
const TAKES_NO_TOKEN: ReadonlySet<ErrandType> = new Set(['batch', 'glue']);
const LOSES_HOSTS: ReadonlySet<ErrandType> = new Set(['ecs', 'batch']);

/**
 * Services that do errands, and their events, as we rely on them. With Step Functions, Lambda and ECS, a name
 * starts one execution; another start of it is answered as the same or as one that exists. CodeBuild forgets
 * that soon. Batch and Glue do it a second time. All but Step Functions have ids, and find names by a list
 * that lags. The events of Lambda say less, and those of Glue tell the id alone. ECS repeats a refusal under
 * its name, and forgets a task an hour after its end. They keep a record of what ran, which the checker
 * compares with the tables.
 */
export class SimErrands {
  private readonly works = new Map<string, Work>();
  private readonly refusals = new Map<string, Started>();
  /** The process of the watcher, which a kill ends, and its budget. */
  private watcher;

  constructor(private readonly world: ErrandWorld) {
    this.watcher = { number: 1, probeBudget: this.newBudget() };
  }

  startsOf(node: SimNode): ErrandStarts {
    return {
      prefix: ERRAND_PREFIX,
      faultOf: () => undefined,
      start: async (start) => {
        const answer = await this.start(start, node);
        await node.gate();
        return answer;
      },
    };
  }

  private probesOf(node: SimNode, isOrdered: boolean): ErrandProbes {
    const by = isOrdered ? { by: this.watcher.number } : {};
    return {
      probe: async (errands) => {
        await this.way();
        const all = errands.map((errand) => {
          const seen = this.probe(errand);
          const { name, type: kind } = errand;
          this.world.log.add({ src: 'errand', type: 'probe', name, kind, seen: seen.state, ...by });
          return seen;
        });
        await node.gate();
        return all;
      },
      steps: async () => {
        await node.gate();
        return [];
      },
      stop: async (errand) => {
        await this.way();
        const work = this.workOf(errand.name);
        const isIt = work?.id === errand.id || (work?.type !== 'durable' && errand.id === undefined);
        if (isIt) work?.stop.abort();
        await node.gate();
      },
      ofEvent: async ({ detail }) => {
        const event = detail as unknown as { type: ErrandType } & ErrandEvent;
        return { ...event, isOf: (one) => one === event.resource };
      },
    };
  }

  private newBudget(): ProbeBudget {
    return new BudgetOfProcess(() => this.world.time.monotonicMs());
  }

  /** A probe that the sweeper orders. */
  order(request: ProbeRequest): void {
    void this.deliver(request);
  }

  private way(): Promise<void> {
    return this.world.time.sleep(this.world.random.fraction() * 200);
  }

  private async start({ type, name, resource, input }: ErrandStart, node: SimNode): Promise<Started> {
    const { faults, log, random, time } = this.world;
    await this.way();
    if (faults.strikes('errand-start-lost', { detail: name })) return { how: 'unknown', error: 'reset' };
    const known = this.sameAs(name);
    const refusal = this.refusals.get(name);
    if (refusal) return refusal;
    if (!known && faults.strikes('errand-refused', { detail: name })) {
      const isFatal = random.fraction() < 0.2;
      const refused: Started = {
        how: 'refused',
        result: { outcome: isFatal ? 'fatal' : 'retriable', error: 'refused' },
      };
      if (type === 'ecs') this.refusals.set(name, refused);
      return refused;
    }
    log.add({ src: 'errand', type: 'start', name, node: node.name, isNew: known === undefined });
    if (!known) {
      const id = type === 'stepfunctions' ? {} : { id: `${resource} ${random.id()}` };
      const startedMs = time.monotonicMs();
      const work: Work = { type, ...id, input, resource, startedMs, stop: new AbortController() };
      this.works.set(name, work);
      void this.work(name, work);
    }
    if (faults.strikes('errand-answer-lost', { detail: name })) {
      await time.sleep(random.between(1, 8) * SECOND_MS);
      return { how: 'unknown', error: 'no answer' };
    }
    // An alias has moved since: the name is taken, and the answer has no id.
    const { id } = this.works.get(name)!;
    const isTaken = known?.type === 'durable' && faults.strikes('errand-name-taken', { detail: name });
    return { how: 'started', ...(id !== undefined && !isTaken && { id }) };
  }

  /** The work that another start under a name would be. */
  private sameAs(name: string): Work | undefined {
    const work = this.workOf(name);
    if (!work || TAKES_NO_TOKEN.has(work.type)) return undefined;
    const isForgotten =
      work.type === 'codebuild' && this.world.time.monotonicMs() >= work.startedMs + TOKEN_MS;
    return isForgotten ? undefined : work;
  }

  private async work(name: string, work: Work): Promise<void> {
    const { faults, log, random, time } = this.world;
    const at = { detail: name };
    const lastsMs = random.between(1, faults.strikes('errand-slow', at) ? 600 : 90) * SECOND_MS;
    const isAborted = faults.strikes('errand-aborted', at);
    await time.sleep(lastsMs, work.stop.signal);
    // What is asked to stop may go on for a while, and may succeed meanwhile.
    if (work.stop.signal.aborted) await time.sleep(random.between(0, 40) * SECOND_MS);
    const isStopped = isAborted || (work.stop.signal.aborted && random.fraction() < 0.8);
    const isLost = !isStopped && LOSES_HOSTS.has(work.type) && faults.strikes('errand-host-lost', at);
    const ends = faults.strikes('errand-fails', at) ? 'failed' : 'succeeded';
    const how = isStopped ? 'stopped' : isLost ? 'lost' : ends;
    work.end = { how, ...(how !== 'succeeded' && { error: how }) };
    work.endedMs = time.monotonicMs();
    log.add({ src: 'errand', type: 'end', name, how });
    if (faults.strikes('event-lost', at)) return;
    const times = faults.strikes('event-doubled', at) ? 2 : 1;
    for (let count = 0; count < times; count++) void this.tell(name, work);
  }

  private async tell(name: string, { type, id, resource, end }: Work): Promise<void> {
    const { faults, random, time } = this.world;
    const isLate = faults.strikes('event-late', { detail: name });
    await time.sleep(random.between(50, isLate ? 240_000 : 1_000));
    // The event of a durable execution has neither output nor error.
    const said = type === 'durable' ? { id, end: { how: end!.how }, isBrief: true } : { id, end };
    const named = type === 'glue' ? {} : { name };
    await this.deliver({
      source: '',
      account: '',
      region: '',
      detail: { type, ...named, resource, ...said },
    });
  }

  private async deliver(message: WatchMessage): Promise<void> {
    await this.way();
    for (let receives = 0; receives < MOST_RECEIVES; receives++) {
      if (await this.watch(message)) return;
      await this.world.time.sleep(COMES_AGAIN_MS);
    }
  }

  /** One message of the watcher's queue. False: it comes again. */
  private async watch(message: WatchMessage): Promise<boolean> {
    const { watcher } = this;
    const outcome = await this.world.invoke((deps, node) => {
      const errandProbes = this.probesOf(node, 'probe' in message);
      return watch([{ id: 'm', message }], { ...deps, errandProbes, probeBudget: watcher.probeBudget });
    });
    if (outcome.how === 'killed' && watcher === this.watcher)
      this.watcher = { number: watcher.number + 1, probeBudget: this.newBudget() };
    return outcome.how === 'done' && outcome.value.failedIds.length === 0;
  }

  /** What its service knows of it. */
  private workOf(name: string): Work | undefined {
    const work = this.works.get(name);
    const isForgotten =
      work?.type === 'ecs' &&
      work.endedMs !== undefined &&
      this.world.time.monotonicMs() >= work.endedMs + FORGOTTEN_MS;
    return isForgotten ? undefined : work;
  }

  private probe({ name, id }: KnownErrand): Probed {
    const { faults, time } = this.world;
    const at = { detail: name };
    if (faults.strikes('probe-denied', at)) return { state: 'unknown', error: 'AccessDenied' };
    if (faults.strikes('probe-throttled', at))
      return { state: 'unknown', error: 'Throttled', isThrottled: true };
    const work = this.workOf(name);
    const isYoung = work && time.monotonicMs() < work.startedMs + STALE_MS;
    // Who knows the id asks no list, which may lag.
    const isUnlisted = id === undefined && isYoung && faults.strikes('probe-stale', at);
    if (!work || isUnlisted || (id !== undefined && id !== work.id)) return { state: 'none' };
    const running = { state: 'running', ...(work.id !== undefined && { id: work.id }) } as const;
    if (!work.end) return running;
    const isFresh = time.monotonicMs() < work.endedMs! + STALE_MS;
    if (isFresh && faults.strikes('probe-stale', at)) return running;
    if (faults.strikes('errand-gone', at)) return { state: 'none' };
    return { state: 'ended', end: work.end };
  }
}

/** A process has one clock. Here, invocations of one have those of several nodes. */
class BudgetOfProcess extends ProbeBudget {
  constructor(private readonly elapsedMs: () => number) {
    super();
  }

  override take(errand: Parameters<ProbeBudget['take']>[0]): boolean {
    return super.take(errand, this.elapsedMs());
  }

  override throttled(errand: Parameters<ProbeBudget['throttled']>[0]): void {
    super.throttled(errand, this.elapsedMs());
  }
}
