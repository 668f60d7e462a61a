import { randomUUID } from 'node:crypto';

import { type Clock, SECOND_MS } from '../../machine/clock';
import { DueHeap } from './due-heap';
import type { InFlight, QueuedMessage } from './message';
import { Waiters } from './waiters';

/** A queue in which adding and removing take constant time. */
class Fifo<Item> {
  private items: Item[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  push(item: Item): void {
    this.items.push(item);
  }

  shift(): Item | undefined {
    if (this.size === 0) return undefined;
    const item = this.items[this.head];
    this.head += 1;
    // Dropping the removed items costs a copy, so it waits until they are as many as the remaining ones.
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  clear(): void {
    this.items = [];
    this.head = 0;
  }
}

/** SQS's defaults. */
const DEFAULT_ATTRIBUTES = {
  VisibilityTimeout: '30',
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
};

/** Number of stale deadlines, of deleted messages, that may stay in the heap before it is cleaned up. */
const STALE_DEADLINES_KEPT = 10_000;

/** What becomes visible at its time: a delayed message, or one that was received and not deleted in time. */
type Timed = { delayed: QueuedMessage } | { receiptHandle: string };

/**
 * A standard queue in memory. A message is in exactly one state: delayed (in the heap), ready, or in flight.
 * The heap also holds the visibility deadlines. A deadline that has become stale is skipped at its time.
 * Waiting consumers are woken one by one, and only while messages remain: an idle consumer costs nothing, and
 * one that has disconnected takes no message.
 */
export class LocalQueue {
  readonly attributes: Record<string, string>;
  readonly tags = new Map<string, string>();
  readonly inFlight = new Map<string, InFlight>();
  private readonly ready = new Fifo<QueuedMessage>();
  private readonly timed = new DueHeap<Timed>();
  private readonly waiters: Waiters;
  /** When each message came that is not deleted yet, the first to come first. */
  private readonly cameAtMs = new Map<QueuedMessage, number>();
  private delayedCount = 0;
  private isUsed!: () => void;
  /** Resolves at the first message, even if it is a delayed one. */
  readonly used = new Promise<void>((resolve) => (this.isUsed = resolve));

  constructor(
    readonly name: string,
    readonly arn: string,
    readonly url: string,
    attributes: Record<string, string>,
    private readonly deadLetterQueue: (arn: string) => LocalQueue | undefined,
    private readonly clock: Clock,
  ) {
    this.attributes = { ...DEFAULT_ATTRIBUTES, ...attributes };
    this.waiters = new Waiters({
      clock,
      hasReady: () => this.readyCount > 0,
      nextAtMs: () => this.timed.nextAtMs,
    });
  }

  get readyCount(): number {
    this.promoteDue();
    return this.ready.size;
  }

  /** Messages by state. Exact, unlike the approximate counts of SQS. */
  get counts(): { ready: number; delayed: number; inFlight: number } {
    const ready = this.readyCount;
    return { ready, delayed: this.delayedCount, inFlight: this.inFlight.size };
  }

  /**
   * How long ago the oldest message came that is not deleted yet, in whatever state. Unlike SQS, it counts
   * messages that were received three times. Undefined: there is no message.
   */
  get oldestAgeMs(): number | undefined {
    for (const cameAtMs of this.cameAtMs.values()) return this.clock.nowMs() - cameAtMs;
    return undefined;
  }

  send(message: QueuedMessage): void {
    this.cameAtMs.set(message, this.clock.nowMs());
    if (message.delayUntil !== undefined && message.delayUntil > this.clock.nowMs()) {
      this.delayedCount += 1;
      this.timed.push(message.delayUntil, { delayed: message });
    } else this.ready.push(message);
    this.isUsed();
    this.waiters.changed();
  }

  /**
   * Receives up to `max` visible messages. Messages that were received too often move to the dead-letter
   * queue instead, and messages past their retention are dropped.
   */
  receive(max: number, visibilityTimeoutSec = Number(this.attributes.VisibilityTimeout)): InFlight[] {
    this.promoteDue();
    const nowMs = this.clock.nowMs();
    const redrive = this.redrivePolicy();
    const expiredBeforeMs = nowMs - Number(this.attributes.MessageRetentionPeriod) * SECOND_MS;
    const received: InFlight[] = [];
    while (received.length < max) {
      const message = this.ready.shift();
      if (!message) break;
      if (message.sentTimestamp < expiredBeforeMs) {
        this.cameAtMs.delete(message);
        continue;
      }
      if (redrive && message.approximateReceiveCount >= redrive.maxReceiveCount) {
        this.cameAtMs.delete(message);
        redrive.queue.send({ ...message, delayUntil: undefined, deadLetterQueueSourceArn: this.arn });
        continue;
      }
      message.approximateReceiveCount += 1;
      message.approximateFirstReceiveTimestamp ??= nowMs;
      const visibilityDeadline = nowMs + visibilityTimeoutSec * SECOND_MS;
      const entry = { message, receiptHandle: randomUUID(), visibilityDeadline };
      this.inFlight.set(entry.receiptHandle, entry);
      this.timed.push(visibilityDeadline, { receiptHandle: entry.receiptHandle });
      received.push(entry);
    }
    return received;
  }

  delete(receiptHandle: string): boolean {
    const entry = this.inFlight.get(receiptHandle);
    if (entry) this.cameAtMs.delete(entry.message);
    const deleted = this.inFlight.delete(receiptHandle);
    const alive = this.delayedCount + this.inFlight.size;
    if (this.timed.size > STALE_DEADLINES_KEPT + 2 * alive)
      this.timed.retain((item, atMs) => this.isAlive(item, atMs));
    return deleted;
  }

  /** Zero makes the message visible at once. Has no effect on a message that is not in flight. */
  changeVisibility(receiptHandle: string, timeoutSec: number): void {
    const entry = this.inFlight.get(receiptHandle);
    if (!entry) return;
    entry.visibilityDeadline = this.clock.nowMs() + timeoutSec * SECOND_MS;
    this.timed.push(entry.visibilityDeadline, { receiptHandle });
    this.waiters.changed();
  }

  /** Resolves to true as soon as messages may be ready, to false after `waitMs` or an abort. */
  whenReady(waitMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.waiters.wait(waitMs, signal);
  }

  purge(): void {
    this.ready.clear();
    this.timed.clear();
    this.inFlight.clear();
    this.cameAtMs.clear();
    this.delayedCount = 0;
  }

  private redrivePolicy(): { queue: LocalQueue; maxReceiveCount: number } | undefined {
    if (!this.attributes.RedrivePolicy) return undefined;
    const policy = JSON.parse(this.attributes.RedrivePolicy) as Record<string, unknown>;
    const queue = this.deadLetterQueue(String(policy.deadLetterTargetArn));
    return queue && { queue, maxReceiveCount: Number(policy.maxReceiveCount) };
  }

  private promoteDue(): void {
    const nowMs = this.clock.nowMs();
    for (let due = this.timed.popDue(nowMs); due; due = this.timed.popDue(nowMs)) {
      if ('delayed' in due.item) {
        this.delayedCount -= 1;
        this.ready.push(due.item.delayed);
        continue;
      }
      const entry = this.inFlight.get(due.item.receiptHandle);
      if (!entry || !this.isAlive(due.item, due.atMs)) continue;
      this.inFlight.delete(entry.receiptHandle);
      this.ready.push(entry.message);
    }
  }

  private isAlive(item: Timed, atMs: number): boolean {
    return 'delayed' in item || this.inFlight.get(item.receiptHandle)?.visibilityDeadline === atMs;
  }
}
