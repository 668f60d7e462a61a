import * as z from 'zod/mini';

import { PRIORITIES } from './pools';

/** Bumped when a reader of the old shape could misread the new one. Unknown versions stay on their queue. */
export const MESSAGE_VERSION = 1;

const shards = z.array(z.int().check(z.gte(0))).check(z.minLength(1), z.maxLength(1024));

/** Tick → scanner, over the scan queue. Shards of one request are scanned one after another. */
export const ScanRequest = z.strictObject({ v: z.literal(MESSAGE_VERSION), shards });
export type ScanRequest = z.infer<typeof ScanRequest>;

/** Tick → sweeper, over the sweep queue. */
export const SweepRequest = z.strictObject({ v: z.literal(MESSAGE_VERSION), shards });
export type SweepRequest = z.infer<typeof SweepRequest>;

/** Scheduler → tick. Carries no time: the tick reads its own clock. */
export const TickEvent = z.strictObject({ kind: z.enum(['scan', 'sweep']) });
export type TickEvent = z.infer<typeof TickEvent>;

/**
 * Any stage → executor, over the queue of the job's pool and priority. Keys only, never payloads:
 * the table is the truth, a message is a hint.
 */
export const ExecutionMessage = z.strictObject({
  v: z.literal(MESSAGE_VERSION),
  /** Full id of the job (`jobKeyOf`). */
  jobKey: z.string().check(z.minLength(3), z.maxLength(1200)),
  execId: z.string().check(z.minLength(20), z.maxLength(64)),
  /** The instant the occurrence is due: lateness counts from here. */
  dueAtMs: z.int(),
  /** Never start before this instant: `dueAtMs`, or later for a retry or a catch-up. */
  startAtMs: z.int(),
  /** The attempt that this message asks for, from 1. */
  attempt: z.int().check(z.gte(1)),
  trigger: z.enum(['schedule', 'manual', 'catch-up']),
  /** The job's revision when the message was made; where it still is, the executor need not check the schedule. */
  revision: z.string().check(z.maxLength(64)),
  /** Takeovers in a row that led to this attempt; from two on the message is processed alone. */
  takeovers: z.optional(z.int().check(z.gte(0))),
  /** Overlap policy, where it is not `allow`: settled before the claim. */
  overlap: z.optional(z.enum(['skip', 'queue', 'replace'])),
  /** Executions of one user that share it run one at a time: it is their turn first, then the claim. */
  orderingKey: z.optional(z.string().check(z.maxLength(256))),
  priority: z.enum(PRIORITIES),
  pool: z.string().check(z.minLength(1), z.maxLength(64)),
});
export type ExecutionMessage = z.infer<typeof ExecutionMessage>;

export type OrderedMessage = ExecutionMessage & { orderingKey: string };

export const isOrdered = (message: ExecutionMessage): message is OrderedMessage =>
  message.orderingKey !== undefined;
