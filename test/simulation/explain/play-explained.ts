import type { ExplainView } from '../../../lambdas/core/http/openapi/lookup-answers';
import { FakeRandom } from '../../support/fake-random';
import type { SimulationLog } from '../log';
import { clockChangeOf } from '../profiles/clock-changes';
import { explained } from '../profiles/explained';
import { Simulation } from '../simulation';
import { isManual, scheduleIn, type Story, storyOf } from '../story';
import { Asking, RETENTION_DAYS } from './asking';
import { knownOf } from './known';
import { type SlotWait, slotWaitersOf, slotWaitOf } from './known-waits';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SETTLED_MS = 30 * MINUTE_MS;
/** Due times that are asked for, of each job at each moment. */
const ASKED = 5;
/** Executions of each job that are asked for because they wait for a slot, or for a start. */
const WAITERS = 5;
/** Records that are asked for, of each job at the end. */
const RECORDED = 20;

/** How often each verdict and each code was right, and what was wrong. */
export interface Outcome {
  verdicts: Map<string, number>;
  codes: Map<string, number>;
  slotWaits: Map<string, number>;
  wrong: string[];
}

export const newOutcome = (): Outcome => ({
  verdicts: new Map(),
  codes: new Map(),
  slotWaits: new Map(),
  wrong: [],
});

/** A run of the profile `explained`, stopped once a minute for questions. Questions change nothing. */
export class ExplainedRun {
  readonly world: Simulation;
  readonly asking: Asking;
  private readonly random: FakeRandom;
  private readonly erased = new Set<string>();

  constructor(
    private readonly seed: number,
    readonly outcome: Outcome,
  ) {
    this.world = new Simulation(explained(seed));
    this.asking = new Asking(this.world.tables);
    this.random = new FakeRandom(seed * 53 + 7);
  }

  /** Plays the run and asks: while it goes on, after it, and when its evidence is gone. */
  async play(): Promise<void> {
    await this.playToEnd();
    const { nowMs } = this;
    const story = this.story();
    for (const jobKey of story.versions.keys()) {
      await this.ask(story, jobKey, this.recordedTimes(story, jobKey), nowMs);
      const inRun = this.timesOf(story, jobKey, this.startMs - MINUTE_MS, nowMs);
      await this.ask(story, jobKey, inRun, nowMs);
      const future = [1, 2].flatMap(() => this.timesOf(story, jobKey, nowMs, nowMs + 26 * HOUR_MS));
      await this.ask(story, jobKey, future, nowMs);
      // The deployment stands still for a day.
      await this.ask(story, jobKey, future, nowMs + 26 * HOUR_MS);
      await this.ask(story, jobKey, inRun, nowMs + (RETENTION_DAYS + 1) * DAY_MS);
      await this.eraseOne(jobKey);
      await this.ask(story, jobKey, inRun, nowMs);
    }
  }

  /** Plays the run and asks once a minute. */
  async playToEnd(): Promise<void> {
    const { world } = this;
    const { healMs, quietFromMs } = world.plan;
    await world.start();
    for (let ms = MINUTE_MS; ms <= quietFromMs + MINUTE_MS; ms += MINUTE_MS) {
      await world.run(ms);
      if (ms === healMs) world.heal();
      const story = this.story();
      for (const jobKey of story.versions.keys()) {
        const times = this.timesOf(story, jobKey, this.nowMs - 3 * MINUTE_MS, this.nowMs + 2 * MINUTE_MS);
        const waiting = slotWaitersOf(story, jobKey).slice(0, WAITERS);
        await this.ask(story, jobKey, [...times, ...waiting], this.nowMs);
      }
    }
    await world.run(quietFromMs + SETTLED_MS);
  }

  /** Compares the verdicts about some due times with what the log knows. */
  async ask(story: Story, jobKey: string, times: readonly number[], nowMs: number): Promise<void> {
    this.asking.nowMs = nowMs;
    for (const atMs of times) {
      const asked = { jobKey, atMs, nowMs, retentionDays: RETENTION_DAYS, erased: this.erased };
      const known = knownOf(story, asked);
      const answer = await this.asking.explain(jobKey, atMs);
      if (!known || !answer || answer.at !== new Date(atMs).toISOString()) continue;
      const codes = answer.steps.map(({ code }) => code);
      const wait = answer.verdict === 'waits' ? slotWaitOf(story, asked) : 'none';
      const isRight =
        known.verdicts.includes(answer.verdict) &&
        known.codes.every((code) => codes.includes(code)) &&
        slotWaitIn(answer) === wait;
      if (!isRight) this.outcome.wrong.push(this.textOf(jobKey, answer, nowMs, { ...known, wait }));
      count(this.outcome.verdicts, answer.verdict);
      count(this.outcome.slotWaits, wait);
      for (const code of codes) count(this.outcome.codes, code);
    }
  }

  /** The log up to now, arranged. */
  story(): Story {
    const { log, plan } = this.world;
    const kept = log.records.length;
    this.world.end();
    const records: SimulationLog['records'] = [...log.records];
    log.records.length = kept;
    return storyOf({ conditions: plan.conditions, records });
  }

  get nowMs(): number {
    return this.world.time.nowMs();
  }

  private get startMs(): number {
    return this.world.plan.startMs!;
  }

  /** Due times of all definitions of a job within a period, and times that are none. */
  timesOf({ versions }: Story, jobKey: string, fromMs: number, toMs: number): number[] {
    const { random } = this;
    const found = new Set<number>();
    for (const { job } of versions.get(jobKey) ?? []) {
      if (!job) continue;
      const schedule = scheduleIn(job, jobKey);
      const afterMs = random.between(fromMs, toMs);
      const {
        maxRuns: _,
        exclude: __,
        startAt: ___,
        endAt: ____,
        ...bare
      } = job.schedule as Record<string, unknown>;
      const unbounded = scheduleIn({ ...job, schedule: bare as unknown as typeof job.schedule }, jobKey);
      for (const at of [schedule.next(afterMs), unbounded.next(afterMs), afterMs])
        if (at !== undefined && at <= toMs) found.add(at);
    }
    const { changeMs } = clockChangeOf(this.seed);
    for (const ms of [changeMs, changeMs + random.between(0, 40) * MINUTE_MS])
      if (fromMs < ms && ms <= toMs) found.add(ms);
    const all = [...found];
    return all.length <= ASKED ? all : Array.from({ length: ASKED }, () => random.pick(all));
  }

  /** Due times of the records of a job. */
  private recordedTimes({ states }: Story, jobKey: string): number[] {
    const times = [...states.values()]
      .map((of) => of.at(-1)!.execution)
      .filter((row) => row.jobKey === jobKey && !isManual(row.execId))
      .map(({ dueAtMs }) => dueAtMs);
    return times.length <= RECORDED ? times : Array.from({ length: RECORDED }, () => this.random.pick(times));
  }

  /** An owner deletes the definition of one change. */
  private async eraseOne(jobKey: string): Promise<void> {
    const { states } = await this.asking.deps.changes.list(jobKey, { limit: 100 });
    const present = this.world.tables.left.jobs.map(({ etag }) => etag);
    const kept = states.filter(({ etag }) => !present.includes(etag));
    if (kept.length === 0) return;
    const state = this.random.pick(kept);
    await this.asking.deps.changes.erase(jobKey, state);
    this.erased.add(state.etag);
  }

  private textOf(jobKey: string, answer: ExplainView, nowMs: number, known: object): string {
    const { at, verdict, steps } = answer;
    const now = new Date(nowMs).toISOString();
    return `seed ${this.seed}, ${jobKey} at ${at}, now ${now}: ${verdict} ${JSON.stringify(steps)}; known: ${JSON.stringify(known)}`;
  }
}

const count = (counts: Map<string, number>, name: string): unknown =>
  counts.set(name, (counts.get(name) ?? 0) + 1);

function slotWaitIn({ steps }: ExplainView): SlotWait {
  const step = steps.find(({ code }) => code === 'concurrency-key');
  if (!step) return 'none';
  return /as many started in the last/.test(step.text) ? 'rate' : 'slot';
}
