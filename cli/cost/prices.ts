/**
 * List prices in US dollars, region us-east-1, without free tiers, as published when `asOf` was written.
 * The one place that knows them: `quarterjack cost` and figures in docs/ are made from here.
 */
export const PRICES = {
  asOf: '2026-11-21',
  region: 'us-east-1',
  /** For a million of each. */
  perMillion: {
    /** DynamoDB on demand, since November 2024. https://aws.amazon.com/dynamodb/pricing/on-demand/ */
    writeUnits: 0.625,
    readUnits: 0.125,
    /**
     * DynamoDB, provisioned, at full use: a unit serves 3,600 requests an hour.
     * https://aws.amazon.com/dynamodb/pricing/provisioned/
     */
    provisionedWriteUnits: 0.00065 / 0.0036,
    provisionedReadUnits: 0.00013 / 0.0036,
    /** Standard queues, each 64 KB of a request. https://aws.amazon.com/sqs/pricing/ */
    sqsRequests: 0.4,
    /** https://aws.amazon.com/lambda/pricing/ */
    invocations: 0.2,
    /** HTTP APIs. https://aws.amazon.com/api-gateway/pricing/ */
    httpApiRequests: 1,
    /** Above 14 million a month. https://aws.amazon.com/eventbridge/pricing/ */
    schedulerInvocations: 1,
    /** Standard workflows, 4,000 a month free. https://aws.amazon.com/step-functions/pricing/ */
    stepFunctionsTransitions: 25,
    /** Cognito: the first 250,000 a month. A client is free. https://aws.amazon.com/cognito/pricing/ */
    machineTokens: 2_250,
  },
  /** Provisioned pollers of an SQS queue, each one unit. https://aws.amazon.com/lambda/pricing/ */
  pollerHour: 0.00925,
  /** A month of a metric that an alarm watches. https://aws.amazon.com/cloudwatch/pricing/ */
  alarmMetric: 0.1,
  /** A second of one GB of memory, arm64, billed by the millisecond. */
  lambdaGbSecond: 0.0000133334,
  /** For a GB: logs that CloudWatch takes in, and what leaves a region for the internet. */
  gb: { logs: 0.5, transferOut: 0.09 },
  /** For a GB kept for a month: tables, and their continuous backups. */
  gbMonth: { storage: 0.25, backups: 0.2 },
  /** Lasting free tiers of every account, per month. https://aws.amazon.com/free/ */
  freeAMonth: { sqsRequests: 1_000_000, invocations: 1_000_000, lambdaGbSeconds: 400_000 },
} as const;

/**
 * Prices of other services for a million fires of recurring jobs, without the target's own work, free tiers
 * and base fees.
 */
export const RECURRING = [
  {
    name: 'EventBridge Scheduler',
    perMillion: PRICES.perMillion.schedulerInvocations,
    note: 'due within its minute, no history; 14 million a month free',
    source: 'https://aws.amazon.com/eventbridge/pricing/',
    asOf: '2026-11-21',
  },
  {
    name: 'QStash',
    perMillion: 10,
    note: 'pay as you go; each retry is a message more',
    source: 'https://upstash.com/pricing/qstash',
    asOf: '2026-11-21',
  },
  {
    name: 'Temporal Cloud',
    perMillion: 200,
    note: 'three actions for a schedule and one for an activity, $50 a million; workers and storage apart',
    source: 'https://docs.temporal.io/cloud/pricing',
    asOf: '2026-11-22',
  },
] as const;

/** Prices of other services for a million one-time fires, without the target's own work. */
export const OTHERS = [
  {
    name: 'EventBridge Scheduler',
    perMillion: [PRICES.perMillion.schedulerInvocations],
    note: 'due within its minute, no history; 14 million a month free',
    source: 'https://aws.amazon.com/eventbridge/pricing/',
  },
  {
    name: 'EventBridge Scheduler, own history',
    perMillion: [PRICES.perMillion.schedulerInvocations + 2 * PRICES.perMillion.writeUnits + 0.2],
    note: 'with a claim and a result written by its target function',
    source: 'the sum of the prices above',
  },
  {
    name: 'QStash',
    perMillion: [10],
    note: 'pay as you go; fixed plans cost 1.4 to 6 when full',
    source: 'https://upstash.com/pricing/qstash',
  },
  {
    name: 'Cloud Tasks',
    perMillion: [0.8],
    note: 'a create and a delivery; no recurring jobs, at most 30 days ahead',
    source: 'https://cloud.google.com/tasks/pricing',
  },
  {
    name: 'Step Functions, standard',
    perMillion: [50, 100],
    note: '2 to 4 state transitions: a wait, a task',
    source: 'https://aws.amazon.com/step-functions/pricing/',
  },
] as const;
