import { LANES } from '../../lambdas/core/contracts/pools';
import { PRICES } from '../../cli/cost/prices';
import { type Stage, STAGES, type StageWork, type Totals } from './usage';

/** Memory of each function in MB, as the template sets it (a test holds the two against each other). */
export const MEMORY_MB: Readonly<Record<Stage, number>> = {
  authorizer: 512,
  api: 512,
  tick: 256,
  scanner: 512,
  executor: 256,
  sweeper: 512,
  auditor: 512,
  canary: 256,
  worker: 256,
  ping: 256,
};

/** A function has one virtual processor per this many MB of memory. */
const MB_A_PROCESSOR = 1_769;
/**
 * Milliseconds of a whole processor for one call through the SDK and the stage's work around it;
 * `npm run bench:throughput` measures both.
 */
export const CPU_MS_A_CALL = 1;
/** Milliseconds of a whole processor for a token's signature (RS256) and claims, over 3,000 of them. */
const CPU_MS_A_SIGNATURE = 0.34;

/**
 * Billed milliseconds: answers and waits, and the CPU time on the part of a processor that the memory size
 * includes.
 */
export const billedMsOf = (stage: Stage, { elapsedMs, sdkCalls, signatures }: StageWork): number =>
  elapsedMs +
  ((sdkCalls * CPU_MS_A_CALL + signatures * CPU_MS_A_SIGNATURE) * MB_A_PROCESSOR) / MEMORY_MB[stage];

/** The counts of one scenario: the object that `--json` prints for it. */
export interface CostLine {
  writeUnits: number;
  readUnits: number;
  sqsRequests: number;
  sdkCalls: number;
  invocations: number;
  billedMs: number;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

export function costLineOf({ writeUnits, readUnits, sqsRequests, stages }: Totals): CostLine {
  const sum = (of: (stage: Stage) => number) => rounded(STAGES.reduce((all, stage) => all + of(stage), 0));
  return {
    writeUnits: rounded(writeUnits),
    readUnits: rounded(readUnits),
    sqsRequests: rounded(sqsRequests),
    sdkCalls: sum((stage) => stages[stage].sdkCalls),
    invocations: sum((stage) => stages[stage].invocations),
    billedMs: sum((stage) => billedMsOf(stage, stages[stage])),
  };
}

/** What comes through API Gateway: claims of workers and pings go to functions of their own. */
const requestsOf = ({ stages }: Totals): number =>
  stages.api.invocations + stages.worker.invocations + stages.ping.invocations;

/** Dollars, by service. */
export interface Bill {
  dynamodb: number;
  sqs: number;
  lambda: number;
  apiGateway: number;
  total: number;
}

const GB = 1_024;
const MILLION = 1_000_000;

const gbSecondsOf = ({ stages }: Totals): number =>
  STAGES.reduce(
    (sum, stage) => sum + (billedMsOf(stage, stages[stage]) / 1_000) * (MEMORY_MB[stage] / GB),
    0,
  );

const invocationsOf = ({ stages }: Totals): number =>
  STAGES.reduce((sum, stage) => sum + stages[stage].invocations, 0);

/** Dollars for `count` times the `totals`. */
export function billOf(totals: Totals, count: number): Bill {
  const { perMillion, lambdaGbSecond } = PRICES;
  const millions = count / MILLION;
  const lambda =
    millions * invocationsOf(totals) * perMillion.invocations + count * gbSecondsOf(totals) * lambdaGbSecond;
  const bill = {
    dynamodb:
      millions * (totals.writeUnits * perMillion.writeUnits + totals.readUnits * perMillion.readUnits),
    sqs: millions * totals.sqsRequests * perMillion.sqsRequests,
    lambda,
    apiGateway: millions * requestsOf(totals) * perMillion.httpApiRequests,
  };
  return { ...bill, total: bill.dynamodb + bill.sqs + bill.lambda + bill.apiGateway };
}

/** What autoscaling aims at: `lib/constructs/job-tables.ts`. */
const UTILIZATION = 0.8;

/** The bill with provisioned tables, under a load so steady that autoscaling holds its target. */
export function provisionedBillOf(totals: Totals, count: number): Bill {
  const { provisionedWriteUnits, provisionedReadUnits } = PRICES.perMillion;
  const { writeUnits, readUnits } = totals;
  const bill = billOf(totals, count);
  const dynamodb =
    ((count / MILLION) * (writeUnits * provisionedWriteUnits + readUnits * provisionedReadUnits)) /
    UTILIZATION;
  return { ...bill, dynamodb, total: bill.total - bill.dynamodb + dynamodb };
}

const HOURS_A_MONTH = 730;
/** Lambda polls each queue with five connections, each waiting up to 20 s. Empty receives are billed too. */
const POLLERS = 5;
const POLL_SEC = 20;
/** Those of scans and sweeps. */
const REQUEST_QUEUES = 2;
export const CONSUMED_QUEUES = LANES.length + REQUEST_QUEUES;
const receivesAnHour = (queues: number): number => queues * POLLERS * (3_600 / POLL_SEC);
export const IDLE_RECEIVES_AN_HOUR = receivesAnHour(CONSUMED_QUEUES);

/** Dollars for a month of such hours. */
export interface Month extends Omit<Bill, 'apiGateway'> {
  /** Receives of pollers on empty queues; not in `sqs`. */
  emptyReceives: number;
  /** The sum at list prices, without free tiers. */
  listed: number;
  /** The bill of an account with nothing else: without AWS's lasting free tiers of SQS and Lambda. */
  billed: number;
}

/** @param queues those that functions read */
export function idleMonth(hour: Totals, queues = CONSUMED_QUEUES): Month {
  const { perMillion, lambdaGbSecond, freeAMonth } = PRICES;
  const { dynamodb, sqs, lambda, total } = billOf(hour, HOURS_A_MONTH);
  const receives = receivesAnHour(queues) * HOURS_A_MONTH;
  const emptyReceives = (receives * perMillion.sqsRequests) / MILLION;
  const beyond = (used: number, free: number) => Math.max(0, used - free);
  const billed =
    dynamodb +
    (beyond(hour.sqsRequests * HOURS_A_MONTH + receives, freeAMonth.sqsRequests) * perMillion.sqsRequests +
      beyond(invocationsOf(hour) * HOURS_A_MONTH, freeAMonth.invocations) * perMillion.invocations) /
      MILLION +
    beyond(gbSecondsOf(hour) * HOURS_A_MONTH, freeAMonth.lambdaGbSeconds) * lambdaGbSecond;
  return { dynamodb, sqs, lambda, total, emptyReceives, listed: total + emptyReceives, billed };
}
