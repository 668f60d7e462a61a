import { everywhere, type Finding, noProblems, onAws, type Step } from '../check';
import type { AwsSite, Site } from '../site/site';
import { burst, intervals, lone, type Made, spread } from './loads';
import { arrivedAll, latenessOf, problemsOf, withoutCause } from './arrivals';
import { reckoned } from './reckoned';

/** The promise of docs/guarantees.md, with free executors. */
const LATENESS_LIMIT_MS = 1_000;

export const delivery: Step = {
  name: 'delivery',
  title: 'Delivery: each job arrives, once, never early, and how late',
  checks: [
    everywhere('delivery/one-time', 'Each one-time job arrives once, and never early', (site) =>
      arrival(site, 'spread'),
    ),
    everywhere('delivery/intervals', 'Each occurrence of an interval arrives once, without a gap', (site) =>
      arrival(site, 'intervals'),
    ),
    onAws('delivery/lateness', '99 of 100 of these arrive within a second of their time', lateness),
    everywhere('delivery/bursts', 'Each of many jobs of one second arrives once, and never early', bursts),
    onAws('delivery/lone', 'Lone jobs, for which no function is warm, arrive', lonely, 'long'),
  ],
};

const LOADS = { spread: (site: Site) => spread(site), intervals, lone } as const;

/** Makes a load once, and waits for it. */
const loadOf = (site: Site, name: keyof typeof LOADS) =>
  site.once(`load ${name}`, async () => {
    const made = await LOADS[name](site);
    return { made, arrived: await arrivedAll(site, made) };
  });

async function arrival(site: Site, name: keyof typeof LOADS): Promise<Finding> {
  const { made, arrived } = await loadOf(site, name);
  return findingOf(site, made, arrived);
}

async function findingOf(
  site: Site,
  made: Made,
  arrived: Awaited<ReturnType<typeof arrivedAll>>,
): Promise<Finding> {
  const { twice, ...problems } = problemsOf(made, arrived);
  const uncaused = await withoutCause(site, made, twice);
  const lateMs = latenessOf(arrived);
  const { p50, p99, max } = lateMs;
  return noProblems(
    [...problems.lost, ...problems.early, ...uncaused],
    `${arrived.length} arrived; p50 ${p50} ms, p99 ${p99} ms, at most ${max} ms late`,
    { expected: made.expected, arrived: arrived.length, repeated: twice.length, lateMs },
  );
}

async function lateness(site: AwsSite): Promise<Finding> {
  const all = await Promise.all([loadOf(site, 'spread'), loadOf(site, 'intervals')]);
  const { p50, p99 } = latenessOf(all.flatMap(({ arrived }) => arrived));
  return { holds: p99 < LATENESS_LIMIT_MS, detail: `p50 ${p50} ms, p99 ${p99} ms at the receiver` };
}

/** One after the other, so that one does not delay the next. */
async function bursts(site: Site): Promise<Finding> {
  const findings: Finding[] = [];
  for (const jobs of site.sizes.bursts) {
    const made = await burst(site, jobs);
    const finding = await findingOf(site, made, await arrivedAll(site, made));
    const beside = site.kind === 'aws' ? ` (${reckoned(site.stage, jobs)})` : '';
    findings.push({ ...finding, detail: `${jobs}: ${finding.detail}${beside}` });
  }
  return {
    holds: findings.every(({ holds }) => holds),
    detail: findings.map(({ detail }) => detail).join('; '),
    figures: findings.map(({ figures }) => figures),
  };
}

async function lonely(site: AwsSite): Promise<Finding> {
  const { made, arrived } = await loadOf(site, 'lone');
  return findingOf(site, made, arrived);
}
