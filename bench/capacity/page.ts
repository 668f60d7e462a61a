import { billOf } from '../cost/bill';
import { PRICES } from '../cost/prices';
import type { Totals } from '../cost/tally';
import { type Demand, demandOf, TARGET_SEC, usesOf } from './demand';
import { LIMITS, MEASURED } from './limits';
import { type PartitionUse, playPartitions } from './partitions';

const HOURS_A_MONTH = 730;
const MINUTES_AN_HOUR = 60;
/** A tenant for each so many fires a minute. */
const FIRES_A_USER = 1_000;
const EXECUTOR_BATCH = 10;
/** Read units of a fire on its user's key. */
const USER_READS = 1.5;

const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: 0 });

type Row = readonly (string | number)[];

const tableOf = (heads: readonly string[], rows: readonly Row[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Executors that an account has by default, at work on targets that answer at once. */
const EXECUTED_PER_SEC = Math.floor(
  (Math.min(LIMITS.accountConcurrency, LIMITS.sourceConcurrency) * EXECUTOR_BATCH) /
    (TARGET_SEC[0] + MEASURED.batchOverheadSec),
);

/** The capacity page, as Markdown, for these rates. `fire`: what one recurring fire costs. */
export function capacityPage(rates: readonly number[], fire: Totals): string {
  const demands = rates.map(demandOf);
  return [
    '# Capacity',
    `Made by \`npm run capacity -- --fires-per-minute ${rates.at(-1)}\`; not to be edited by hand. The model is in \`bench/capacity\`: ` +
      `limits as AWS published them on ${LIMITS.asOf}, rates as measured on ${MEASURED.asOf}, costs as counted by \`npm run bench:cost\`. ` +
      'None of it was measured in AWS.',
    '## What a rate takes',
    needs(demands, fire),
    'Shards follow from the scanner: it sends on at most ' +
      `${number(MEASURED.scannedPerSec)} entries a second, so that the next entries, which mostly lie in one partition, stay below its ` +
      `${number(LIMITS.partitionWritesPerSec)} writes, and it has ${MEASURED.scanSec} s of its minute for that. Each shard has one scanner and one sweeper at a time.`,
    '## Which limit binds first',
    ...demands.flatMap((demand) => [`### ${number(demand.firesPerMinute)} fires a minute`, binding(demand)]),
    `What a stage sets itself comes before these: \`maxConcurrency\` of a pool bounds the executors of each priority, and \`userSharePerSec\` what one user starts among everybody else's work: where a user has more, its rate is what the executors of the overflow do. Executors scale from ${LIMITS.sourceStart} batches at once by ${LIMITS.sourceMorePerMinute} a minute for each queue: a sudden load waits for them, unless the event source is ` +
      'provisioned. A table on demand that is new takes ' +
      `${number(LIMITS.newTableWritesPerSec)} writes a second at once (${number(LIMITS.newTableWritesPerSec / 2)} fires), and twice its peak half an hour later; warm it before a load that is known.`,
    '## Partitions',
    'A simulation of the keys: the requests for one minute of jobs, second by second, each under the key that the code makes for it, every key counted ' +
      `as one partition. "Spread": due evenly over each minute. "All at 09:00:00": daily jobs, all due in one second, worked off by ${number(EXECUTED_PER_SEC)} fires a second ` +
      `(${number(LIMITS.accountConcurrency)} executors), what waits being filed again meanwhile.`,
    partitions(demands),
    `A user is one key of Jobs: up to ${number((LIMITS.partitionReadsPerSec / USER_READS) * 60)} fires a minute of a single user lie within one partition's reads. Beyond that DynamoDB has to ` +
      'split the user by jobId, which it does for heat that is spread over the ids; it takes minutes, and throttles until then.',
  ].join('\n\n');
}

function needs(demands: readonly Demand[], fire: Totals): string {
  const row = (name: string, of: (demand: Demand) => string): Row => [name, ...demands.map(of)];
  return tableOf(
    ['', ...demands.map(({ firesPerMinute }) => `${number(firesPerMinute)} a minute`)],
    [
      row('fires a second', ({ firesPerSec }) => number(firesPerSec)),
      row('**shards**, and scanners at once', ({ shards }) => number(shards)),
      row('entries a shard and minute', ({ entriesAShard }) => number(entriesAShard)),
      row('seconds of a minute that a scanner is at work', ({ scanSec }) => number(scanSec)),
      row('Schedule, writes a second', ({ scheduleWritesPerSec }) => number(scheduleWritesPerSec)),
      row('Executions, writes a second', ({ executionWritesPerSec }) => number(executionWritesPerSec)),
      row('Jobs, reads a second', ({ jobReadsPerSec }) => number(jobReadsPerSec)),
      row('SQS requests a second', ({ sqsRequestsPerSec }) => number(sqsRequestsPerSec)),
      ...TARGET_SEC.map((targetSec, index) =>
        row(`executors at once, targets answering in ${targetSec} s`, ({ executors }) =>
          number(executors[index]!.concurrency),
        ),
      ),
      ...TARGET_SEC.map((targetSec, index) =>
        row(`messages in flight, ${targetSec} s`, ({ executors }) => number(executors[index]!.inFlight)),
      ),
      row(`minutes until as many executors are there, ${TARGET_SEC[1]} s`, ({ executors }) =>
        number(executors[1]!.minutesToScale, 1),
      ),
      row(`$ a month (prices of ${PRICES.asOf})`, ({ firesPerMinute }) =>
        number(billOf(fire, firesPerMinute * MINUTES_AN_HOUR * HOURS_A_MONTH).total),
      ),
    ],
  );
}

function binding(demand: Demand): string {
  const [fast, slow] = TARGET_SEC;
  const rows = usesOf(demand, fast).map(({ limit, demand: needed, allowed, share, bindsAt }): Row => {
    const slower = usesOf(demand, slow).find((use) => use.limit === limit)!;
    return [
      limit,
      number(needed),
      number(allowed),
      `${number(share * 100, 1)} %`,
      number(bindsAt),
      number(slower.bindsAt),
    ];
  });
  return tableOf(
    ['limit', 'needed', 'allowed', 'used', `binds at fires a minute, targets of ${fast} s`, `of ${slow} s`],
    rows,
  );
}

function partitions(demands: readonly Demand[]): string {
  const uses = demands.flatMap(({ firesPerMinute, shards }) =>
    (['spread', 'nine'] as const).map((load) =>
      playPartitions(load, {
        fires: firesPerMinute,
        users: Math.max(1, Math.round(firesPerMinute / FIRES_A_USER)),
        shards,
        executedPerSec: EXECUTED_PER_SEC,
      }),
    ),
  );
  const hottest = ({ units, key }: PartitionUse['writes'], allowed: number): string =>
    `${number(units)} of ${number(allowed)} (${key.split(' ')[0]})`;
  return tableOf(
    ['jobs', 'users', 'due', 'busiest partition, writes a second', 'reads a second', 'executed within s'],
    uses.map(({ jobs, users, load, writes, reads, drainSec }) => [
      number(jobs),
      number(users),
      load === 'nine' ? 'all at 09:00:00' : 'spread',
      hottest(writes, LIMITS.partitionWritesPerSec),
      hottest(reads, LIMITS.partitionReadsPerSec),
      number(drainSec),
    ]),
  );
}
