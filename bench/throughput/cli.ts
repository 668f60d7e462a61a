/**
 * What one environment of each stage does in a second, and what of the processor it takes for a job:
 * `npm run bench:throughput -- [--jobs 5000] [--json]`. With BENCH_PROFILE=<folder>, each stage writes a CPU
 * profile there.
 */
import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import {
  dispatching,
  executing,
  executingAndSweeping,
  registering,
  registeringInBatches,
  type StageFigures,
} from './stages';
import { openWorkshop, type Workshop } from './workshop';

type Measure = (jobs: number, workshop: Workshop) => Promise<Record<string, StageFigures>>;

const MEASUREMENTS: Record<string, Measure> = {
  registering: async (jobs, workshop) => ({ 'registered, one a call': await registering(jobs, workshop) }),
  'registering in batches': async (jobs, workshop) => ({
    'registered, 100 a call': await registeringInBatches(jobs, workshop),
  }),
  dispatching: async (jobs, workshop) => ({ dispatched: await dispatching(jobs, workshop) }),
  'executing and sweeping': async (jobs, workshop) => {
    const { executed, swept } = await executingAndSweeping(jobs, workshop);
    return { executed, rechecked: swept };
  },
  // Each call has a connection of its own, whose TLS session is resumed.
  'executing by https': async (jobs, workshop) => ({
    'executed, by https': await executing(jobs, workshop.secureReceiver.url, workshop),
  }),
};

run('bench:throughput', async () => {
  const { jobs } = numbersFrom({ jobs: 5_000 });
  const before = machine();
  const stages: Record<string, StageFigures> = {};
  for (const [name, measure] of Object.entries(MEASUREMENTS)) {
    if (!wantsJson()) note(`${name} …`);
    Object.assign(stages, await inWorkshop((workshop) => measure(jobs, workshop)));
  }
  const { load } = machine();
  if (wantsJson()) printJson({ machine: before, loadAfter: load, stages });
  else report(stages, machineLine(before), load);
});

/** Each with a store of its own, so that none meets the rows of another. */
async function inWorkshop<Result>(work: (workshop: Workshop) => Promise<Result>): Promise<Result> {
  const workshop = await openWorkshop(process.env.BENCH_PROFILE);
  try {
    return await work(workshop);
  } finally {
    workshop.close();
  }
}

function report(figures: Record<string, StageFigures>, measured: string, loadAfter: number): void {
  say(`${measured}; load ${loadAfter} at the end\n`);
  say(
    table(
      ['one environment', 'jobs', 'jobs/s', 'CPU ms a job', 'calls a job', 'CPU ms a call'],
      Object.entries(figures).map(([name, { jobs, jobsPerSec, cpuMsPerJob, callsPerJob, cpuMsPerCall }]) => [
        name,
        jobs,
        Math.round(jobsPerSec),
        cpuMsPerJob.toFixed(3),
        callsPerJob.toFixed(2),
        cpuMsPerCall.toFixed(2),
      ]),
    ),
  );
}
