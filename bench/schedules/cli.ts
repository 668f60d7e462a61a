/**
 * Measures the processor time of what a request, the scanner and the auditor count and search. The
 * definitions cost much. Each work begins with nothing cached, as in a process that has never seen the job.
 *
 * `npm run bench:schedules -- [--runs 5] [--json]`
 */
import { EXTREMES } from '../../test/support/schedule-corners';
import { checkOf, jobSince, listOf, type Work, worksOf } from '../../test/support/schedule-works';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';

const DAY_MS = 86_400_000;
/** How long before now the schedule was changed, and the first occurrence missed. */
const BEHIND_DAYS = [1, 400, 3_652];
/** The goal for one work, in milliseconds of processor time. */
const MOST_MS = 50;

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The least of some runs: the others waited for a compiler, a collector, or another process. */
const leastMs = ({ run: work }: Work, runs: number): number =>
  Math.min(...Array.from({ length: runs }, () => cpuMs(work)));

run('bench:schedules', async () => {
  const { runs } = numbersFrom({ runs: 5 });
  const measured = EXTREMES.flatMap(([what, spec]) =>
    BEHIND_DAYS.flatMap((days) => {
      const job = jobSince(spec, (days + 1) * DAY_MS, 'fire-all');
      return [checkOf(job), listOf(job), ...worksOf(job, days * DAY_MS)].map((work) => ({
        what,
        work: work.name,
        ms: leastMs(work, runs),
      }));
    }),
  );
  const worstOf = <Key extends 'what' | 'work'>(key: Key) =>
    [...new Set(measured.map((one) => one[key]))].map((name) =>
      measured.filter((one) => one[key] === name).reduce((worst, one) => (one.ms > worst.ms ? one : worst)),
    );
  const isReached = measured.every(({ ms }) => ms < MOST_MS);
  if (wantsJson()) printJson({ runs, byDefinition: worstOf('what'), byWork: worstOf('work'), isReached });
  else {
    const rows = worstOf('what').map(({ what, work, ms }) => [what, work, ms.toFixed(1)]);
    say(table(['definition', 'its worst work', 'processor time, ms'], rows));
    const works = worstOf('work').map(({ what, work, ms }) => [work, ms.toFixed(1), what]);
    say(`\n${table(['work', 'processor time, ms', 'worst definition'], works)}`);
    say(`\nBelow ${MOST_MS} ms each: ${isReached ? 'yes' : 'no'}.`);
  }
  if (!isReached) process.exitCode = 1;
});
