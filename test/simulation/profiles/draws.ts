import { FakeRandom } from '../../support/fake-random';
import type { CollectorKind } from '../collected';
import type { Fault, NodeFault, Stage, WindowFault, WindowKind } from '../faults';
import { planOf, type RunPlan } from '../run-plan';
import type { Action, ClientAction } from '../workload';

/** A plan of one kind of faults at a high rate, with the clients' actions that meet it. */
export type Profile = (seed: number) => RunPlan;

export const MINUTE_MS = 60_000;
/** How long faults and actions last. Short, so that their fixed numbers come close together. */
const LASTS_MS = 7 * MINUTE_MS;
/** Longer where ticks stop: a misfire needs an outage of more than the horizon and the grace together. */
export const LASTS_WITH_OUTAGE_MS = 10 * MINUTE_MS;
const WARM_UP_MS = 20_000;
const LONG_FREEZES_MS = [30_000, 60_000, 130_000, 150_000, 200_000, 300_000];
/** Actions and faults of a profile have ids that the draws of a usual plan never reach. */
const FIRST_ACTION_ID = 10_000;
const SCHEDULES = [
  { type: 'interval', every: '45s' },
  { type: 'interval', every: '3m' },
  { type: 'cron', expression: '* * * * *' },
  { type: 'cron', expression: '*/2 * * * *' },
  { type: 'interval', every: '7s' },
] as const;

/** A time of its own for a task that starts a child or items. */
export const drawTime = (random: FakeRandom): { delay: string } | { notBefore: string } =>
  random.fraction() < 0.6
    ? { delay: random.pick(['2s', '15s', '40s']) }
    : { notBefore: `{{ run.dueAt | shift('${random.pick(['10s', '30s'])}') }}` };

/** Draws the faults and further actions of one run. */
export interface Draws {
  random: FakeRandom;
  plan: RunPlan;
  /** A fault that strikes from `fromMs` to the end of the faults. */
  window(kind: WindowKind, rate: number, at?: Partial<WindowFault>): WindowFault;
  freezes(count: number, stage: Stage, mostAwaits: number): NodeFault[];
  kills(count: number, stage: Stage, mostAwaits: number): NodeFault[];
  /** Further actions on the jobs of the plan, at any time. `bodyOf` makes the body of a patch. */
  actions(kinds: readonly Action[], count: number, bodyOf?: PatchOf): ClientAction[];
}

export type PatchOf = (random: FakeRandom) => Record<string, unknown>;

const anySchedule: PatchOf = (random) => ({ schedule: random.pick(SCHEDULES) });

interface ProfileOptions {
  /** The wall clock at the beginning, for runs that are not of the usual day. */
  startOf?: (seed: number) => number;
  lastsMs?: number;
  /** The same, if seeds last differently. */
  lastsOf?: (seed: number) => number;
}

/** The workload of a usual plan, whose clocks are sound, with the faults and actions that are drawn here. */
export const profileOf =
  (
    draw: (draws: Draws) => Partial<RunPlan>,
    { startOf, lastsMs = LASTS_MS, lastsOf }: ProfileOptions = {},
  ): Profile =>
  (seed) => {
    const usual = planOf(seed, 'safety', { startMs: startOf?.(seed), lastsMs: lastsOf?.(seed) ?? lastsMs });
    const plan: RunPlan = { ...usual, conditions: { ...usual.conditions, wildClocks: false }, faults: [] };
    return { ...plan, ...draw(drawsFor(plan, new FakeRandom(seed * 13 + 5))) };
  };

const COLLECTORS: readonly CollectorKind[] = ['answering', 'failing', 'dead'];

/** Where the spans of a seed go. Every third seed keeps the journal. */
export const collectorOf = (seed: number): CollectorKind =>
  COLLECTORS[Math.floor(seed / 3) % COLLECTORS.length]!;

/** The actions of a plan and further ones, in order of time. */
export const withActions = (plan: RunPlan, further: readonly ClientAction[]): ClientAction[] =>
  [...plan.actions, ...further].sort((a, b) => a.atMs - b.atMs || a.id - b.id);

function drawsFor(plan: RunPlan, random: FakeRandom): Draws {
  let faults = 0;
  let actions = 0;
  const nodeFaults = (kind: 'freeze' | 'kill') => (count: number, stage: Stage, mostAwaits: number) =>
    Array.from({ length: count }, (): NodeFault => {
      const fromMs = random.between(WARM_UP_MS, plan.healMs);
      const afterAwaits = random.between(1, mostAwaits);
      const forMs = kind === 'freeze' ? random.pick(LONG_FREEZES_MS) : 0;
      return { id: ++faults, kind, fromMs, stage, afterAwaits, forMs, to: 0 };
    });
  return {
    random,
    plan,
    window: (kind, rate, at = {}) => ({
      id: ++faults,
      kind,
      fromMs: MINUTE_MS,
      untilMs: plan.healMs,
      rate,
      ...at,
    }),
    freezes: nodeFaults('freeze'),
    kills: nodeFaults('kill'),
    actions: (kinds, count, patchOf = anySchedule) => {
      const jobs = jobsOf(plan);
      return Array.from({ length: count }, (): ClientAction => {
        const job = random.pick(jobs);
        const action = random.pick(kinds);
        const id = FIRST_ACTION_ID + ++actions;
        const payload = { ...job, stamp: `s${id}` };
        const body = { patch: () => ({ payload, ...patchOf(random) }), run: () => ({ payload }) };
        const atMs = random.between(MINUTE_MS, plan.quietFromMs);
        return {
          id,
          atMs,
          action,
          ...job,
          body: action === 'patch' || action === 'run' ? body[action]() : undefined,
        };
      });
    },
  };
}

/** The jobs of a plan, without a crowd that is due once. */
const jobsOf = ({ actions }: RunPlan): Pick<ClientAction, 'userId' | 'jobId'>[] => [
  ...new Map(
    actions
      .filter(({ userId }) => userId !== 'carol')
      .map(({ userId, jobId }) => [`${userId}/${jobId}`, { userId, jobId }]),
  ).values(),
];

/** Gives each job one value for its whole life, in every definition of it. */
export function withEachJob(plan: RunPlan, draw: () => Record<string, unknown>): ClientAction[] {
  const drawn = new Map<string, Record<string, unknown>>();
  return plan.actions.map((action) => {
    const key = `${action.userId}/${action.jobId}`;
    const own = drawn.get(key) ?? draw();
    drawn.set(key, own);
    const isDefinition = action.action === 'create' || action.action === 'put';
    if (!isDefinition) return action;
    const body: Record<string, unknown> = { ...action.body, ...own };
    if (own.targets !== undefined) delete body.target;
    return { ...action, body };
  });
}

export const some = (random: FakeRandom, probability: number, faults: () => Fault[]): Fault[] =>
  random.fraction() < probability ? faults() : [];
