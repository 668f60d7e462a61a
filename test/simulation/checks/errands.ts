import { errandNameOf } from '../../../lambdas/core/delivery/errands/errand-name';
import { errandsOf, type Execution } from '../../../lambdas/core/domain/execution';
import { isOnErrand } from '../../../lambdas/core/domain/lease';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { ERRAND_PREFIX } from '../sim-errands';
import type { ExecutionState, Story } from '../story';
import { broken, clockTime, open, type Violation } from '../violation';

/** What a service did under one name. */
interface Ran {
  name: string;
  startedMs: number;
  endedMs: number;
  how?: string;
  starts: number;
  nodes: readonly string[];
}

const MOST_ERRANDS = 60;
/** An event that is lost is made up for by a probe, after as long as the errand ran. */
const ENDED_WITHIN_MS = 15 * 60_000;
/** Sight is lost an hour after the end of an errand's time. A sweeper or a watcher may be late by a while. */
const GIVEN_UP_WITHIN_MS = 75 * 60_000;
/** A start that is on its way when its executor loses its lease. */
const ON_THE_WIRE_MS = 1_000;

/**
 * What is promised of errands. Under one name, one runs. Errands of one execution follow one another. The row
 * says how they ended, and no execution ends before its errand. No errand runs on that was to end.
 */
export function checkErrands(story: Story): Violation[] {
  const ran = ranIn(story);
  if (ran.size === 0) return [];
  const known = new Set<string>();
  const violations: Violation[] = checkProbes(story);
  for (const [id, states] of story.states) {
    violations.push(...checkTimes(id, states, story));
    const own = namesOf(states).flatMap((name) => ran.get(name) ?? []);
    for (const { name } of own) known.add(name);
    if (own.length > 0) violations.push(...checkOne(id, own, states, story));
  }
  for (const name of ran.keys())
    if (!known.has(name)) violations.push(broken('right-one', `${name} belongs to no execution`));
  return violations;
}

/** Probes that a process may make at once, and those that a second adds. */
const MOST_PROBES = 12;

/** No process of the watcher asks a service more often than its budget says. */
function checkProbes({ records }: Story): Violation[] {
  const lately = new Map<string, number[]>();
  for (const record of records) {
    if (record.src !== 'errand' || record.type !== 'probe' || record.by === undefined) continue;
    const key = `${record.kind}, process ${record.by}`;
    const times = [...(lately.get(key) ?? []).filter((t) => t > record.t - 1_000), record.t];
    lately.set(key, times);
    if (times.length > MOST_PROBES)
      return [
        broken(
          'probes-bounded',
          `${key}: ${times.length} probes in the second before ${clockTime(record.t)}`,
        ),
      ];
  }
  return [];
}

function ranIn({ records }: Story): Map<string, Ran> {
  const ran = new Map<string, Ran>();
  for (const record of records) {
    if (record.src !== 'errand') continue;
    const one: Ran = ran.get(record.name) ?? {
      name: record.name,
      startedMs: record.t,
      endedMs: Number.POSITIVE_INFINITY,
      starts: 0,
      nodes: [],
    };
    if (record.type === 'start')
      ran.set(record.name, {
        ...one,
        starts: one.starts + (record.isNew ? 1 : 0),
        nodes: [...one.nodes, record.node],
      });
    else if (record.type === 'end') ran.set(record.name, { ...one, endedMs: record.t, how: record.how });
  }
  return ran;
}

/** All names that errands of the execution could have. */
const namesOf = (states: readonly ExecutionState[]): string[] => {
  const { jobKey, execId } = states[0]!.execution;
  return Array.from({ length: MOST_ERRANDS }, (_, errands) =>
    errandNameOf({ jobKey, execId, openErrand: ERRAND_PREFIX, errands })!,
  );
};

function* checkOne(
  id: string,
  own: readonly Ran[],
  states: readonly ExecutionState[],
  story: Story,
): Generator<Violation> {
  for (const { name, starts } of own)
    if (starts > 1) yield broken('errand-once', `${id}: ${name} was started ${starts} times`);
  for (const [index, one] of own.entries()) {
    const next = own[index + 1];
    if (next && next.startedMs < one.endedMs)
      yield broken(
        'errands-apart',
        `${id}: ${next.name} began at ${clockTime(next.startedMs)}, before the end of ${one.name}`,
      );
    yield* checkGates(id, one, states, story);
    yield* checkEnd(id, one, states, story);
  }
}

const isLost = ({ reason }: Execution): boolean => reason === 'lost-sight';

/** From its start to its end, the execution is running or waits for the attempt that finds it. */
function* checkGates(
  id: string,
  one: Ran,
  states: readonly ExecutionState[],
  story: Story,
): Generator<Violation> {
  const { frozen } = story;
  if (one.nodes.some((node) => frozen.has(node))) return;
  for (const { t, execution } of states) {
    if (t <= one.startedMs || t >= one.endedMs) continue;
    if (isTerminal(execution.status) && !isLost(execution))
      yield broken(
        'gates-cover',
        `${id} ended at ${clockTime(t)}: ${one.name} ran until ${clockTime(one.endedMs)}`,
      );
  }
  const at = states.findLast(({ t }) => t <= one.startedMs + ON_THE_WIRE_MS);
  if (!at || isTerminal(at.execution.status))
    yield broken(
      'gates-cover',
      `${id}: ${one.name} began at ${clockTime(one.startedMs)} without its execution`,
    );
}

/** No lease of the watcher outlives the time of its errand for long. */
function* checkTimes(id: string, states: readonly ExecutionState[], { endMs }: Story): Generator<Violation> {
  for (const [index, { execution }] of states.entries()) {
    if (!isOnErrand(execution)) continue;
    const { fence, delegatedTo } = execution;
    const left = states
      .slice(index + 1)
      .find(({ execution: next }) => next.fence !== fence || !isOnErrand(next));
    if ((left?.t ?? endMs) > delegatedTo.endsAtMs + GIVEN_UP_WITHIN_MS)
      yield broken(
        'errand-ends',
        `${id} waits for ${delegatedTo.errand.name}, whose time was over at ${clockTime(delegatedTo.endsAtMs)}`,
      );
  }
}

/** The end of an errand is on record, in time, and as it was. */
function* checkEnd(
  id: string,
  one: Ran,
  states: readonly ExecutionState[],
  { endMs }: Story,
): Generator<Violation> {
  const last = states.at(-1)!.execution;
  const hasEnded = isTerminal(last.status);
  if (isLost(last)) return;
  if (one.how === undefined) {
    if (hasEnded) yield broken('errand-stopped', `${id} has ended, and ${one.name} runs on`);
    return;
  }
  if (!hasEnded && errandsOf(last) <= countIn(one) && endMs - one.endedMs > ENDED_WITHIN_MS)
    yield open(
      'errand-on-time',
      `${id}: the end of ${one.name} at ${clockTime(one.endedMs)} is not on record`,
    );
  const succeeded = last.attempts.some(({ outcome }) => outcome === 'succeeded');
  if (hasEnded && one.how === 'succeeded' && !succeeded)
    yield broken('errand-on-time', `${id}: ${one.name} has succeeded, on record it is ${last.status}`);
}

/** How many errands of the execution had ended before. */
const countIn = ({ name }: Ran): number => Number(name.slice(name.lastIndexOf('-') + 1));
