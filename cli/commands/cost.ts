import { type Command, Option } from 'commander';

import type { Context } from '../context';
import {
  type FixedLoad,
  type LaneQueues,
  type Load,
  type MonthOf,
  monthsOf,
  queuesOf,
  runsAMonth,
} from '../cost/month';
import { PRICES, RECURRING } from '../cost/prices';
import { CliError } from '../exit-codes';
import { durationOf, numberOf } from '../flag-values';
import type { Run } from '../run';
import { plural } from '../terminal/plural';
import { texts } from '../terminal/table';

interface CostFlags {
  jobs: string;
  every: string;
  targetMs: string;
  keep: string;
  payload: string;
  monitors: string;
  pools: string;
  laneQueues: LaneQueues;
  workers: string;
  pollers: string;
  tokens: string;
}

const MIN_EVERY_MS = 1_000;
/** The longest synchronous attempt. */
const MAX_TARGET_MS = 840_000;
/** Of `retentionDays`. */
const MAX_KEEP_DAYS = 3_650;
const MAX_PAYLOAD_BYTES = 65_536;
const MAX_POOLS = 5;

export function addCostCommand(program: Command, run: Run): void {
  program
    .command('cost')
    .description('Show what recurring jobs cost in a month, here and elsewhere. Needs no API.')
    .requiredOption('--jobs <n>', 'how many jobs')
    .requiredOption('--every <duration>', 'how often each runs, such as 5m')
    .option('--target-ms <n>', 'how long a target takes, in milliseconds', '50')
    .option('--keep <days>', 'how long executions stay readable', '30')
    .option('--payload <bytes>', 'what a job sends to its target', '0')
    .option('--monitors <n>', 'monitors that get a ping as often', '0')
    .option('--pools <n>', 'pools of the deployment', '1')
    .addOption(
      new Option(
        '--lane-queues <which>',
        'whether each lane of a pool has a queue: "laneQueues" of the stage',
      )
        .choices(['own', 'shared'])
        .default('own'),
    )
    .option('--workers <n>', 'workers that always wait for work', '0')
    .option('--pollers <n>', 'pollers kept ready: the sum of "min" in provisionedPollers', '0')
    .option('--tokens <n>', 'tokens a month for machine clients of the own user pool', '0')
    .addHelpText(
      'after',
      `
List prices of ${PRICES.region} as of ${PRICES.asOf}, without free tiers and without the work of the targets.
The first figure is for runs that are due ten at a time, the second for runs that are each due alone.
Pings of monitors are in both.
The fixed cost is that of an idle deployment with 4 shards, and with the queues of its pools.

Examples:
  quarterjack cost --jobs 1000 --every 5m --target-ms 200
  quarterjack cost --jobs 1000 --every 5m --keep 90 --payload 4096
  quarterjack cost --jobs 1000 --every 5m --lane-queues shared
  quarterjack cost --jobs 1000 --every 5m --workers 3 --pollers 2 --tokens 720`,
    )
    .action(run(showCost));
}

function showCost(context: Context, flags: CostFlags): void {
  const { keep, payload, targetMs } = flags;
  const load: Load = {
    jobs: numberOf('--jobs', flags.jobs),
    everyMs: durationOf('--every', flags.every, MIN_EVERY_MS),
    targetMs: numberOf('--target-ms', targetMs),
    keepDays: numberOf('--keep', keep),
    payloadBytes: numberOf('--payload', payload),
    monitors: numberOf('--monitors', flags.monitors),
  };
  const fixedLoad: FixedLoad = {
    pools: numberOf('--pools', flags.pools),
    laneQueues: flags.laneQueues,
    workers: numberOf('--workers', flags.workers),
    pollers: numberOf('--pollers', flags.pollers),
    tokens: numberOf('--tokens', flags.tokens),
  };
  if (fixedLoad.pools < 1 || fixedLoad.pools > MAX_POOLS)
    throw new CliError(`--pools is ${flags.pools}; expected 1 to ${MAX_POOLS}`);
  if (load.keepDays < 2 || load.keepDays > MAX_KEEP_DAYS)
    throw new CliError(`--keep is ${keep}; expected 2 to ${MAX_KEEP_DAYS} days`);
  if (load.payloadBytes > MAX_PAYLOAD_BYTES)
    throw new CliError(`--payload is ${payload}; expected at most ${MAX_PAYLOAD_BYTES} bytes`);
  if (load.targetMs > MAX_TARGET_MS)
    throw new CliError(`--target-ms is ${targetMs}; expected at most ${MAX_TARGET_MS}, the longest attempt`);
  const months = monthsOf(load, fixedLoad);
  const runs = Math.round(runsAMonth(load));
  const sources = [...RECURRING.map(({ name, source, asOf }) => ({ name, source, asOf }))];
  const queues = queuesOf(fixedLoad);
  context.print({ runsAMonth: runs, queues, dollarsAMonth: months, sources }, () => {
    const { dim } = context.style;
    const lines = sources.map(({ name, source, asOf }) => `  ${name}: ${source}, ${asOf}\n`);
    return (
      `${runs.toLocaleString('en-US')} runs a month\n\n` +
      context.table(
        ['DOLLARS A MONTH', 'RUNS', 'KEPT', 'FIXED', { ...texts('WHAT IT IS'), spare: 1 }],
        months.map(rowOf),
      ) +
      `\nFIXED has 4 shards, ${plural(fixedLoad.pools, 'pool')}, and ${queues} queues that Lambda polls.\n` +
      dim(`\nList prices of AWS: ${PRICES.region}, ${PRICES.asOf}. Of others:\n${lines.join('')}`)
    );
  });
}

function rowOf({ name, runsFrom, runsTo, kept, fixed, note }: MonthOf): string[] {
  const runs = runsFrom === runsTo ? dollars(runsFrom) : `${dollars(runsFrom)}–${dollars(runsTo)}`;
  return [name, runs, dollars(kept), dollars(fixed), note];
}

const dollars = (amount: number): string => amount.toFixed(2);
