import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { arrivedAll, problemsOf, withoutCause } from '../delivery/arrivals';
import type { Made } from '../delivery/loads';
import { type Finding, noProblems, onAws, type Step } from '../check';
import { createJobs } from '../jobs';
import { deploy, deployArguments } from '../site/deploy';
import type { AwsSite } from '../site/site';
import { statusOf } from '../status';
import { until } from '../until';

const JOBS = 10;
const EVERY_MS = 5_000;
const SECOND_MS = 1_000;
/** Tick and writers use a new number of shards within two minutes. */
const SHARDS_WITHIN_MS = 5 * 60_000;

export const change: Step = {
  name: 'change',
  title: 'Change under load: a deployment loses nothing',
  checks: [
    onAws('change/same', 'The same commit is deployed again', withLoad(sameCommit), 'change'),
    onAws('change/shards', 'Twice as many shards are deployed, and used', withLoad(moreShards), 'change'),
    onAws(
      'change/commit-before',
      'The commit before is deployed, and this one again',
      withLoad(commitBefore),
      'change',
    ),
    onAws('change/nothing-lost', 'No occurrence was lost meanwhile', nothingLost, 'change'),
  ],
};

/** Jobs that run all the time, from before the first deployment on. */
const load = (site: AwsSite) =>
  site.once('change load', async () => {
    const { url } = await site.receiver();
    const prefix = `accept-${site.run}-change-`;
    const startMs = Math.ceil(site.nowMs() / SECOND_MS) * SECOND_MS + 10 * SECOND_MS;
    const schedule = {
      type: 'interval',
      every: `${EVERY_MS / SECOND_MS}s`,
      anchor: new Date(startMs).toISOString(),
    };
    const definition = { schedule, target: { type: 'http', url: `${url}/200` } };
    const jobs = Array.from({ length: JOBS }, (_, index) => ({ jobId: prefix + index, definition }));
    await createJobs(site, jobs);
    return { prefix, jobs, startMs };
  });

function withLoad(act: (site: AwsSite) => Promise<Finding>) {
  return async (site: AwsSite) => {
    await load(site);
    return act(site);
  };
}

async function sameCommit(site: AwsSite): Promise<Finding> {
  await deploy(site);
  return { holds: true, detail: 'deployed' };
}

/** Shards stay: their number is never lowered. */
async function moreShards(site: AwsSite): Promise<Finding> {
  const wanted = 2 * Number(site.env.SHARD_COUNT);
  await deploy(site, '-c', `shardCount=${wanted}`);
  const { shards } = await until(
    site,
    () => statusOf(site),
    (status) => status.shards >= wanted,
    SHARDS_WITHIN_MS,
  );
  return { holds: shards >= wanted, detail: `${shards} in use; set shardCount to ${wanted} in the stage` };
}

async function commitBefore(site: AwsSite): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterjack-before-'));
  const { exec, stage } = site;
  await exec('git', ['worktree', 'add', '--detach', folder, 'HEAD~1']);
  try {
    await exec('npm', ['ci', '--ignore-scripts'], { cwd: folder });
    await exec('npx', deployArguments(stage), { cwd: folder });
    await deploy(site);
  } finally {
    await exec('git', ['worktree', 'remove', '--force', folder]);
  }
  return { holds: true, detail: 'deployed, and this one again' };
}

async function nothingLost(site: AwsSite): Promise<Finding> {
  const { prefix, jobs, startMs } = await load(site);
  const count = Math.floor((site.nowMs() - startMs) / EVERY_MS) + 1;
  const times = Array.from({ length: count }, (_, index) => startMs + index * EVERY_MS);
  const made: Made = {
    ...{ prefix, jobs, expected: JOBS * count, untilMs: times.at(-1)! },
    due: new Map(jobs.map(({ jobId }) => [jobId, times])),
  };
  const arrived = await arrivedAll(site, made);
  const { lost, early, twice } = problemsOf(made, arrived);
  const uncaused = await withoutCause(site, made, twice);
  return noProblems([...lost, ...early, ...uncaused], `${made.expected} occurrences, all arrived`);
}
