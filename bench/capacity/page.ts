import { billOf } from '../cost/bill';
import { PRICES } from '../../cli/cost/prices';
import type { Totals } from '../cost/usage';
import { type Demand, demandOf, TARGET_SEC, usesOf } from './demand';
import { LIMITS, MEASURED } from './limits';
import { type PartitionUse, playPartitions } from './partitions';
import { executedBy, type Ramp, secondsFor } from './ramp';

const HOURS_A_MONTH = 730;
const MINUTES_AN_HOUR = 60;
/** Fires a minute of one user. */
const FIRES_A_USER = 1_000;
const EXECUTOR_BATCH = 10;
/** Read units of a fire on the key of its user. */
const USER_READS = 1.5;

const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: 0 });

type Row = readonly (string | number)[];

const tableOf = (heads: readonly string[], rows: readonly Row[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** One queue with an account's default concurrency, and the fastest targets of the page. */
const WHOLE_ACCOUNT: Ramp = {
  maxConcurrency: Math.min(LIMITS.accountConcurrency, LIMITS.source.concurrency),
  batchSec: TARGET_SEC[0] + MEASURED.batchOverheadSec,
};
const EXECUTED_PER_SEC = Math.floor((WHOLE_ACCOUNT.maxConcurrency * EXECUTOR_BATCH) / WHOLE_ACCOUNT.batchSec);
/** Executions that are due in one second, on the page. */
const BURSTS = [100, 1_000, 10_000, 100_000];
/** Values of `maxConcurrency` on the page: `medium` of dev, `medium` and `highest` of prod. */
const BURST_CONCURRENCY = [20, 160, 320];
/** Values of `min` of provisioned pollers on the page. */
const BURST_POLLERS = [2, 16, 32];
/** A smaller burst starts at once with them, so its time is that of a batch. */
const LEAST_FOR_POLLERS = 10_000;

/**
 * The capacity page, as Markdown.
 *
 * @param rates fires a minute, one column each
 * @param fire what one recurring fire costs
 */
export function capacityPage(rates: readonly number[], fire: Totals): string {
  const demands = rates.map(demandOf);
  return [
    '# Capacity',
    introduction(rates),
    '## What a rate needs',
    needs(demands, fire),
    whyShards(),
    '## Which limit binds first',
    ...demands.flatMap((demand) => [`### ${number(demand.firesPerMinute)} fires a minute`, binding(demand)]),
    otherLimits(),
    '## Bursts',
    bursts(),
    '## Partitions',
    howPartitions(),
    partitions(demands),
    userPartition(),
  ].join('\n\n');
}

const introduction = (rates: readonly number[]): string =>
  [
    `\`npm run capacity -- --fires-per-minute ${rates.at(-1)}\` generates this page. Do not edit it by hand.`,
    'The model is in `bench/capacity`.',
    `Limits are those that AWS published on ${LIMITS.asOf}. Rates were measured on ${MEASURED.asOf}.`,
    '`npm run bench:cost` counts the costs. None of it was measured in AWS.',
  ].join(' ');

const whyShards = (): string =>
  [
    'The scanner determines the number of shards.',
    `It sends at most ${number(MEASURED.scannedPerSec)} entries a second.`,
    'Most next entries of a shard lie in one partition of DynamoDB. At that rate, they stay below the',
    `${number(LIMITS.partitionWritesPerSec)} writes a second that a partition accepts.`,
    `The scanner has ${MEASURED.scanSec} s of its minute for that.`,
    'Each shard has one scanner and one sweeper at a time.',
  ].join(' ');

const otherLimits = (): string =>
  [
    'The stage configuration sets limits below these:',
    list([
      '`maxConcurrency` of a pool bounds the executors of each priority. Pools add up, within the account.',
      '`userSharePerSec` bounds what one user starts in the queues of the priorities. ' +
        "Above it, the overflow's executors determine that user's rate.",
    ]),
    [
      `A new table on demand accepts ${number(LIMITS.newTableWritesPerSec)} writes a second at once`,
      `(${number(LIMITS.newTableWritesPerSec / 2)} fires), and twice its peak half an hour later.`,
      'Warm it before a load that you expect.',
    ].join(' '),
  ].join('\n\n');

const howPartitions = (): string =>
  [
    [
      'This is a simulation of the keys. It plays the requests for one minute of jobs, second by second.',
      'Each request has the key that the code makes for it, and every key counts as one partition.',
    ].join(' '),
    list([
      '**Spread**: due evenly over each minute.',
      '**All at 09:00:00**: daily jobs, all due in one second. ' +
        'Their queue was idle, and its executors [start one after another](#bursts): ' +
        `${number(LIMITS.accountConcurrency)} in the end, which run ${number(EXECUTED_PER_SEC)} a second. ` +
        'Meanwhile, the sweeper files the waiting ones again.',
    ]),
  ].join('\n\n');

function bursts(): string {
  const { batchSec } = WHOLE_ACCOUNT;
  const heads = BURST_CONCURRENCY.map((one) => `at most ${one} executors: p50 / p99`);
  const cell = (due: number, ramp: Omit<Ramp, 'batchSec'>): string =>
    [0.5, 0.99].map((part) => `${number(secondsFor(due * part, { ...ramp, batchSec }), 1)} s`).join(' / ');
  return [
    [
      `Lambda starts the executors of an idle queue with ${LIMITS.source.start} batches at once, and adds`,
      `${LIMITS.source.morePerMinute} a minute for each queue. A burst after silence waits for them.`,
      'The table shows when 50 % and 99 % of the executions are done, if all are due in one second, in one queue.',
      `They belong to many users, targets respond in ${TARGET_SEC[0]} s, and a batch takes ${batchSec} s.`,
      'Cold starts are left out.',
    ].join(' '),
    tableOf(
      ['due in one second', ...heads],
      BURSTS.map((due) => [
        number(due),
        ...BURST_CONCURRENCY.map((maxConcurrency) => cell(due, { maxConcurrency })),
      ]),
    ),
    [
      'With `provisionedPollers` of a pool, pollers are ready before the burst. Each has',
      `${LIMITS.source.pollerBatches} batches at work, and Lambda adds ${number(LIMITS.source.pollersMorePerMinute)} batches a minute.`,
      `AWS bills each $${(PRICES.pollerHour * HOURS_A_MONTH).toFixed(2)} a month. This is the same burst, with at most twice as many pollers as are kept ready:`,
    ].join(' '),
    tableOf(
      ['due in one second', ...BURST_POLLERS.map((one) => `${one} pollers ready: p50 / p99`)],
      BURSTS.filter((due) => due >= LEAST_FOR_POLLERS).map((due) => [
        number(due),
        ...BURST_POLLERS.map((pollers) =>
          cell(due, { pollers, maxConcurrency: 2 * pollers * LIMITS.source.pollerBatches }),
        ),
      ]),
    ),
    [
      'A load that goes on has its executors already. To flatten a burst, give its jobs `jitter`, or several',
      'priorities: each queue has its own pollers.',
    ].join(' '),
    [
      'A local run has its executors ready, since they cost nothing there. With `npm start -- --lambda-ramp`, its',
      'queues follow the same ramp, up to the 16 executors that a local run gives to a function for one queue.',
    ].join(' '),
  ].join('\n\n');
}

const userPartition = (): string =>
  [
    'A user is one key of Jobs.',
    `Up to ${number((LIMITS.partitionReadsPerSec / USER_READS) * 60)} fires a minute of one user fit into one partition's reads.`,
    'Beyond that, DynamoDB has to split the user by jobId. It does so for load that is spread over the ids.',
    'That takes minutes, and DynamoDB throttles until then.',
  ].join(' ');

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

function needs(demands: readonly Demand[], fire: Totals): string {
  const row = (name: string, of: (demand: Demand) => string): Row => [name, ...demands.map(of)];
  return tableOf(
    ['', ...demands.map(({ firesPerMinute }) => `${number(firesPerMinute)} a minute`)],
    [
      row('fires per second', ({ firesPerSec }) => number(firesPerSec)),
      row('**shards**, and scanners at once', ({ shards }) => number(shards)),
      row('entries per shard and minute', ({ entriesAShard }) => number(entriesAShard)),
      row('seconds of each minute that a scanner works', ({ scanSec }) => number(scanSec)),
      row('Schedule: writes per second', ({ scheduleWritesPerSec }) => number(scheduleWritesPerSec)),
      row('Executions: writes per second', ({ executionWritesPerSec }) => number(executionWritesPerSec)),
      row('Jobs: reads per second', ({ jobReadsPerSec }) => number(jobReadsPerSec)),
      row('SQS requests per second', ({ sqsRequestsPerSec }) => number(sqsRequestsPerSec)),
      ...TARGET_SEC.map((targetSec, index) =>
        row(`executors at once, targets responding in ${targetSec} s`, ({ executors }) =>
          number(executors[index]!.concurrency),
        ),
      ),
      ...TARGET_SEC.map((targetSec, index) =>
        row(`messages in flight, targets responding in ${targetSec} s`, ({ executors }) =>
          number(executors[index]!.inFlight),
        ),
      ),
      row(`minutes to scale to these executors, targets responding in ${TARGET_SEC[1]} s`, ({ executors }) =>
        number(executors[1]!.minutesToScale, 1),
      ),
      row(`$ per month (prices of ${PRICES.asOf})`, ({ firesPerMinute }) =>
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
    [
      'limit',
      'needed',
      'allowed',
      'used',
      `binds at fires per minute, targets of ${fast} s`,
      `targets of ${slow} s`,
    ],
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
        executedBy:
          load === 'nine'
            ? (second) => executedBy(second, WHOLE_ACCOUNT)
            : (second) => second * EXECUTED_PER_SEC,
      }),
    ),
  );
  const hottest = ({ units, key }: PartitionUse['writes'], allowed: number): string =>
    `${number(units)} of ${number(allowed)} (${key.split(' ')[0]})`;
  return tableOf(
    ['jobs', 'users', 'due', 'busiest partition, writes per second', 'reads per second', 'executed within s'],
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
