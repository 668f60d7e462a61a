import * as z from 'zod/mini';

import { type Lane, PRIORITIES } from './pools';

/**
 * Raised when a reader of the old shape could misread the new one. Messages of other versions stay on their
 * queue.
 */
export const MESSAGE_VERSION = 1;

const shards = z.array(z.int().check(z.gte(0))).check(z.minLength(1), z.maxLength(1024));

/** Tick → scanner, through the scan queue. */
export const ScanRequest = z.strictObject({ v: z.literal(MESSAGE_VERSION), shards });
export type ScanRequest = z.infer<typeof ScanRequest>;

/** Tick → sweeper, through the sweep queue. */
export const SweepRequest = z.strictObject({ v: z.literal(MESSAGE_VERSION), shards });
export type SweepRequest = z.infer<typeof SweepRequest>;

/** Sweeper → watcher: a question about the errand of an execution. */
export const ProbeRequest = z.strictObject({
  v: z.literal(MESSAGE_VERSION),
  probe: z.strictObject({ jobKey: z.string(), execId: z.string() }),
});
export type ProbeRequest = z.infer<typeof ProbeRequest>;

/** EventBridge → watcher: an errand, or other work of the account, has changed its status. */
export const ErrandEventMessage = z.object({
  source: z.string(),
  account: z.string(),
  region: z.string(),
  /** When it happened, by its service: to the second. */
  time: z.optional(z.string()),
  detail: z.record(z.string(), z.unknown()),
});
export type ErrandEventMessage = z.infer<typeof ErrandEventMessage>;

/** What the queue of the watcher has. */
export const WatchMessage = z.union([ProbeRequest, ErrandEventMessage]);
export type WatchMessage = z.infer<typeof WatchMessage>;

/** EventBridge Scheduler → tick. It has no time: the tick reads its own clock. */
export const TickEvent = z.strictObject({ kind: z.enum(['scan', 'sweep']) });
export type TickEvent = z.infer<typeof TickEvent>;

/** What starts an execution. Those that pings start are in no message: nothing is called for them. */
const TRIGGERS = [
  'schedule',
  'manual',
  'catch-up',
  'after',
  'event',
  'workflow',
  'backfill',
  'task',
  'ping',
] as const;

/**
 * Any stage → executor, through the queue of the job's pool and priority. It has keys, never payloads. A
 * value may be at the end of a concurrency key. The tables decide, and a message is only a hint.
 */
export const ExecutionMessage = z.strictObject({
  v: z.literal(MESSAGE_VERSION),
  /** Full id of the job (`jobKeyOf`). */
  jobKey: z.string().check(z.minLength(3), z.maxLength(1200)),
  execId: z.string().check(z.minLength(20), z.maxLength(128)),
  /** Due time of the occurrence. Lateness counts from here. */
  dueAtMs: z.int(),
  /** Earliest start: `dueAtMs`, or later for a retry or a catch-up. */
  startAtMs: z.int(),
  /** The attempt that this message asks for, from 1. */
  attempt: z.int().check(z.gte(1)),
  trigger: z.enum(TRIGGERS),
  /** How often the user had retried the execution when the message was made. */
  userRetries: z.optional(z.int().check(z.gte(1))),
  /**
   * Revision of the job that planned the occurrence. If it is unchanged, the executor need not check the
   * schedule. Empty unless a dispatch sends the message: no job has this revision.
   */
  revision: z.string().check(z.maxLength(64)),
  /** Consecutive takeovers that led to this attempt. From two on, the message is processed alone. */
  takeovers: z.optional(z.int().check(z.gte(0))),
  /** Overlap policy, if it is not `allow`. It is applied before the claim. */
  overlap: z.optional(z.enum(['skip', 'queue', 'replace'])),
  /**
   * Executions of a project with the same key run one at a time: an execution acquires the key, then it is
   * claimed.
   */
  orderingKey: z.optional(z.string().check(z.maxLength(256))),
  /** How often its user, a pause or a later event had moved a run when the message was made. */
  timesMoved: z.optional(z.int().check(z.gte(1))),
  /** Only for a child of a run: when it was started. Lateness counts from here. */
  askedAtMs: z.optional(z.int()),
  /** Only for a task: the end of its run's time. */
  runEndsAtMs: z.optional(z.int()),
  /** Ids of the calendars of the job's schedule: the executor reads them together with the job. */
  calendars: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(10))),
  /** Executions of a project with the same key run a limited number at a time: each takes a slot first. */
  concurrencyKey: z.optional(z.string().check(z.maxLength(64))),
  /** Only for workers: the work queue in which the execution is offered, instead of a claim. */
  workQueue: z.optional(z.string().check(z.maxLength(64))),
  /** Only for workers: how long it may wait in that queue, from its offer on. */
  startWithinMs: z.optional(z.int().check(z.gte(1))),
  /** The attempt may hold an executor for more than 30 s: the lane for long calls takes it. */
  longCall: z.optional(z.literal(true)),
  /** The attempt may start an errand: the claim says so on the row. */
  errand: z.optional(z.literal(true)),
  /** Where the target of the job was: the executor connects to it while it waits for the start. */
  origin: z.optional(z.string().check(z.maxLength(512))),
  /** Only if the occurrence joins the trace of the request that planned it: its first claim says so. */
  trace: z.optional(
    z.strictObject({
      id: z.string().check(z.length(32)),
      parent: z.string().check(z.length(16)),
      flags: z.int().check(z.gte(0), z.lte(3)),
      state: z.optional(z.string().check(z.maxLength(256))),
    }),
  ),
  priority: z.enum(PRIORITIES),
  pool: z.string().check(z.minLength(1), z.maxLength(64)),
});
export type ExecutionMessage = z.infer<typeof ExecutionMessage>;

/** What decides on the lane of a message. */
export type LaneChoice = Pick<ExecutionMessage, 'priority' | 'longCall'>;

/** The lane that takes a message, unless the per-user rate limit sends it to the overflow. */
export const usualLaneOf = ({ priority, longCall }: LaneChoice): Lane => (longCall ? 'long' : priority);

export type OrderedMessage = ExecutionMessage & { orderingKey: string };

/** A message that offers its execution to workers. */
export type WorkMessage = ExecutionMessage & { workQueue: string; startWithinMs: number };

export const isForWorkers = (message: ExecutionMessage): message is WorkMessage =>
  message.workQueue !== undefined && message.startWithinMs !== undefined;

/** A message that asks for a slot of a concurrency key. */
export type LimitedMessage = ExecutionMessage & { concurrencyKey: string };

export const isLimited = (message: ExecutionMessage): message is LimitedMessage =>
  message.concurrencyKey !== undefined;

export const isOrdered = (message: ExecutionMessage): message is OrderedMessage =>
  message.orderingKey !== undefined;
