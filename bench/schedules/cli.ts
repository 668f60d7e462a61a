/**
 * Measures the processor time of what a request, the scanner and the auditor count and search. The
 * definitions cost much. Each work begins with nothing cached, as in a process that has never seen the job.
 * `--random` measures so many random definitions instead, with calendars of their own.
 *
 * `npm run bench:schedules -- [--runs 5] [--random 800] [--seed 1] [--json]`
 */
import fc from 'fast-check';

import type { Job } from '../../lambdas/core/domain/job';
import { Calendar } from '../../lambdas/core/schedule/calendar';
import { ScheduleError } from '../../lambdas/core/schedule/schedule-error';
import { type Definition, definition } from '../../test/support/random-definitions';
import { EXTREMES } from '../../test/support/schedule-corners';
import { checkOf, jobSince, listOf, type Work, worksOf } from '../../test/support/schedule-works';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';

const DAY_MS = 86_400_000;
/** How long before now the schedule was changed, and the first occurrence missed. */
const BEHIND_DAYS = [1, 400, 3_652];
/** Of so many definitions the worst works are shown. */
const MOST_SHOWN = 20;
/** The goal for one work, in milliseconds of processor time. */
const MOST_MS = 50;

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The least of some runs: the others waited for a compiler, a collector, or another process. */
const leastMs = (workOf: () => Work, runs: number): number =>
  Math.min(...Array.from({ length: runs }, () => cpuMs(workOf().run)));

interface Measured {
  what: string;
  work: string;
  ms: number;
}

const everyWork = (job: Job, behindMs: number): Work[] => [
  checkOf(job),
  listOf(job),
  ...worksOf(job, behindMs),
];

const ofExtremes = (runs: number): Measured[] =>
  EXTREMES.flatMap(([what, spec]) =>
    BEHIND_DAYS.flatMap((days) =>
      everyWork(jobSince(spec, (days + 1) * DAY_MS, 'fire-all'), days * DAY_MS).map((work) => ({
        what,
        work: work.name,
        ms: leastMs(() => work, runs),
      })),
    ),
  );

/** The works of a definition, with calendars that no work has read yet. Undefined: the API refuses it. */
function worksAnew({ spec, calendars, policy, behindMs }: Definition): Work[] | undefined {
  try {
    const inUse = calendars.map(({ id, content }) => ({ id, calendar: new Calendar(content) }));
    return everyWork(jobSince(spec, behindMs + DAY_MS, policy, inUse), behindMs);
  } catch (error) {
    if (error instanceof ScheduleError) return undefined;
    throw error;
  }
}

const nameOf = (index: number): string => `definition ${index}`;

const ofRandom = (one: Definition, index: number, runs: number): Measured[] =>
  (worksAnew(one) ?? []).map(({ name }, at) => ({
    what: nameOf(index),
    work: name,
    ms: leastMs(() => worksAnew(one)![at]!, runs),
  }));

run('bench:schedules', async () => {
  const { runs, random, seed } = numbersFrom({ runs: 5, random: 0, seed: 1 });
  const definitions = random > 0 ? fc.sample(definition, { seed, numRuns: random }) : [];
  const extremes = ofExtremes(random > 0 ? 1 : runs); // they warm up the compiler for random ones
  const measured = random > 0 ? definitions.flatMap((one, index) => ofRandom(one, index, runs)) : extremes;
  const worstOf = (key: 'what' | 'work') =>
    [...new Set(measured.map((one) => one[key]))]
      .map((name) =>
        measured.filter((one) => one[key] === name).reduce((worst, one) => (one.ms > worst.ms ? one : worst)),
      )
      .sort((a, b) => b.ms - a.ms);
  const byDefinition = worstOf('what').slice(0, MOST_SHOWN);
  const isReached = measured.every(({ ms }) => ms < MOST_MS);
  if (wantsJson()) printJson({ runs, byDefinition, byWork: worstOf('work'), isReached });
  else {
    const rows = byDefinition.map(({ what, work, ms }) => [what, work, ms.toFixed(1)]);
    say(table(['definition', 'its worst work', 'processor time, ms'], rows));
    const works = worstOf('work').map(({ what, work, ms }) => [work, ms.toFixed(1), what]);
    say(`\n${table(['work', 'processor time, ms', 'worst definition'], works)}`);
    const slow = new Set(measured.filter(({ ms }) => ms >= MOST_MS).map(({ what }) => what));
    for (const [index, one] of definitions.entries())
      if (slow.has(nameOf(index))) say(`\n${nameOf(index)}: ${JSON.stringify(one)}`);
    say(`\nBelow ${MOST_MS} ms each: ${isReached ? 'yes' : 'no'}.`);
  }
  if (!isReached) process.exitCode = 1;
});
