import type { SimulationLog } from '../log';
import { type JobVersion, storyOf } from '../story';
import { flowsOf } from '../story-index';
import { IMPOSSIBLE } from './impossible';
import { COUNTED_FEATURES, featuresOfJob } from './job-features';
import { COUNTED_OPERATIONS, doneIn } from './operations';

/** A pair of features of one job, or of a feature and an operation on its job. */
export interface Pair {
  one: string;
  other: string;
  /** In how many seeds both came together. */
  seeds: number;
}

const NAMES = [...COUNTED_FEATURES, ...COUNTED_OPERATIONS];
const INDEX = new Map(NAMES.map((name, index) => [name, index]));

const whyNot = (one: string, other: string) =>
  IMPOSSIBLE.find(
    ({ pair: [first, second] }) =>
      (first.test(one) && second.test(other)) || (first.test(other) && second.test(one)),
  );

/**
 * Counts by the logs of seeds which features the jobs in the table had together. It also counts which
 * operations were carried out on jobs that had them. What was refused does not count.
 */
export class PairCount {
  private readonly counts = new Uint32Array(NAMES.length ** 2);

  add(log: SimulationLog): void {
    const story = storyOf(log);
    const flows = flowsOf(story);
    const seen = new Set<number>();
    const known = new Map<JobVersion, readonly number[]>();
    const indexesOf = (version: JobVersion): readonly number[] => {
      const { job } = version;
      if (!job) return [];
      const kept = known.get(version);
      if (kept) return kept;
      const flow = job.workflow && flows.get(`${job.userId}/${job.jobId}#${job.workflow.version}`);
      const indexes = [...featuresOfJob(job, flow)].flatMap((name) => INDEX.get(name) ?? []);
      known.set(version, indexes);
      return indexes;
    };
    for (const versions of story.versions.values())
      for (const version of versions) {
        const indexes = indexesOf(version);
        for (const one of indexes) for (const other of indexes) if (one < other) seen.add(at(one, other));
      }
    for (const { names, jobs } of doneIn(story))
      for (const name of names) {
        const operation = INDEX.get(name);
        if (operation === undefined) continue;
        for (const version of jobs) for (const one of indexesOf(version)) seen.add(at(one, operation));
      }
    for (const pair of seen) this.counts[pair]! += 1;
  }

  /** Adds the counts that another process has kept. */
  addKept(counts: readonly number[]): void {
    if (counts.length !== this.counts.length) throw new Error('these pairs are of other features');
    for (const [index, times] of counts.entries()) this.counts[index]! += times;
  }

  kept(): number[] {
    return [...this.counts];
  }

  /** The possible pairs, those in the fewest seeds first. */
  possible(): Pair[] {
    return this.all()
      .filter(({ one, other }) => !whyNot(one, other))
      .sort((a, b) => a.seeds - b.seeds);
  }

  /** Pairs that are listed as impossible, and were there all the same. */
  misjudged(): Pair[] {
    return this.all().filter(({ one, other, seeds }) => {
      const listed = whyNot(one, other);
      return seeds > 0 && listed !== undefined && !listed.isSeldom;
    });
  }

  private all(): Pair[] {
    return COUNTED_FEATURES.flatMap((one, index) =>
      NAMES.slice(index + 1).map((other, offset) => ({
        one,
        other,
        seeds: this.counts[at(index, index + 1 + offset)]!,
      })),
    );
  }
}

const at = (one: number, other: number): number => one * NAMES.length + other;

/** So many seeds have each possible pair at least this often. */
const ENOUGH = { seeds: 2_000, times: 20 };
const FEWEST_SHOWN = 10;

/** Whether each possible pair came often enough. Fewer seeds cannot tell. */
export const enoughPairs = (count: PairCount, seeds: number): boolean =>
  count.misjudged().length === 0 &&
  (seeds < ENOUGH.seeds || count.possible().every((pair) => pair.seeds >= ENOUGH.times));

/** What the command prints of the pairs: how many there are, and those that came least. */
export function pairLines(count: PairCount, seeds: number): string[] {
  const pairs = count.possible();
  const often = pairs.filter((pair) => pair.seeds >= ENOUGH.times).length;
  const never = pairs.filter((pair) => pair.seeds === 0).length;
  const lineOf = ({ one, other, seeds: times }: Pair) => `  ${times} × ${one} and ${other}`;
  return [
    `${pairs.length} pairs of features in ${seeds} seeds: ${often} in at least ${ENOUGH.times} of them, ${never} in none`,
    ...pairs.slice(0, FEWEST_SHOWN).map(lineOf),
    ...count.misjudged().map((pair) => `listed as impossible:${lineOf(pair)}`),
  ];
}
