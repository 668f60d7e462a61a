import { jobRefOf, orderingQueueKeyOf } from '../../../lambdas/core/contracts/tables';
import { type Execution, isRun } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { isBackfilled } from '../../../lambdas/core/domain/workflow/child-row';
import type { Workflow } from '../../../lambdas/core/domain/workflow/definition';
import { graphOf } from '../../../lambdas/core/domain/workflow/graph';
import { roundOf } from '../../../lambdas/core/domain/workflow/marks';
import type { OverlapLock } from '../../../lambdas/core/store/overlap-lock-store';
import type { LogRecord } from '../log';
import { idOf, isTask, type Story } from '../story';
import { flowsOf } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';

const MINUTE_MS = 60_000;
/** A message may be on its way for a while. What waits in a circle for longer waits until a limit ends it. */
const LASTS_MS = 4 * MINUTE_MS;

/**
 * No executions wait for each other in a circle. They wait at ordering keys, overlap locks and concurrency
 * keys. A run waits for its children, and a date of a backfill for what goes before it. A limit of time
 * ends each circle, so the state at the end does not show it. The whole log is asked, minute by minute.
 */
export function checkCircles(story: Story): Violation[] {
  const { records, conditions, endMs } = story;
  if (conditions.wildClocks) return [];
  const gates = new GateStates(flowsOf(story));
  const since = new Map<string, number>();
  const known = new Set<string>();
  const violations: Violation[] = [];
  let nextMs = (records[0]?.t ?? endMs) + MINUTE_MS;
  const checkNow = () => {
    const stuck = gates.waitingInCircles();
    for (const id of since.keys()) if (!stuck.has(id)) since.delete(id);
    for (const [id, circle] of stuck) {
      const sinceMs = since.get(id) ?? nextMs;
      since.set(id, sinceMs);
      const name = [...new Set(circle)].sort().join(' ');
      if (nextMs - sinceMs !== LASTS_MS || known.has(name)) continue;
      known.add(name);
      violations.push(broken('circle', `from ${clockTime(sinceMs)} on: ${circle.join(' waits for ')}`));
    }
  };
  for (const record of records) {
    for (; record.t >= nextMs; nextMs += MINUTE_MS) checkNow();
    gates.apply(record);
  }
  return violations;
}

/** One of these has to end before an execution can go on. */
type Alternatives = readonly string[];

interface OrderingQueue {
  holder?: string;
  /** By execution. */
  sorts: Map<string, string>;
}

interface Slots {
  holders: Map<string, string>;
  /** By execution, when it is due. */
  waiting: Map<string, number>;
}

/** Who holds each gate, and who waits there, as the log has it by now. */
class GateStates {
  private readonly jobs = new Map<string, Job>();
  /** Those that have not ended, and those whose failures block their keys. */
  private readonly rows = new Map<string, Execution>();
  private readonly ended = new Set<string>();
  private readonly locks = new Map<string, OverlapLock>();
  private readonly ordering = new Map<string, OrderingQueue>();
  private readonly slots = new Map<string, Slots>();

  constructor(private readonly flows: ReadonlyMap<string, Workflow>) {}

  apply(record: LogRecord): void {
    if (record.src !== 'table') return;
    if (record.type === 'job' && record.job) this.jobs.set(record.jobKey, record.job);
    if (record.type === 'execution') this.applyRow(record.execution);
    if (record.type === 'overlap-lock') this.locks.set(record.jobKey, record.lock);
    if (record.type === 'key-holder') this.orderingOf(record.queue).holder = idOf(record);
    if (record.type === 'ticket') {
      const { sorts } = this.orderingOf(record.queue);
      if (record.exists) sorts.set(idOf(record), record.sort);
      else sorts.delete(idOf(record));
    }
    if (record.type === 'slot-ticket') {
      const { waiting } = this.slotsOf(record.queue);
      if (record.exists) waiting.set(idOf(record), record.dueAtMs);
      else waiting.delete(idOf(record));
    }
    if (record.type === 'slot') {
      const { holders } = this.slotsOf(record.queue);
      if (record.holder) holders.set(record.slot, idOf(record.holder));
      else holders.delete(record.slot);
    }
  }

  private applyRow(row: Execution): void {
    if (isTask(row.execId)) return;
    const id = idOf(row);
    if (isTerminal(row.status)) {
      this.rows.delete(id);
      this.ended.add(id);
    } else {
      this.rows.set(id, row);
      this.ended.delete(id);
    }
  }

  private orderingOf(queue: string): OrderingQueue {
    const known = this.ordering.get(queue) ?? { sorts: new Map<string, string>() };
    this.ordering.set(queue, known);
    return known;
  }

  private slotsOf(queue: string): Slots {
    const known = this.slots.get(queue) ?? {
      holders: new Map<string, string>(),
      waiting: new Map<string, number>(),
    };
    this.slots.set(queue, known);
    return known;
  }

  /** Each execution that no end of another can free any more, with the circle to which its waits lead. */
  waitingInCircles(): Map<string, string[]> {
    const waits = this.waits();
    for (let freed = true; freed;) {
      freed = false;
      for (const [id, clauses] of waits) {
        if (!clauses.every((ones) => ones.some((one) => !waits.has(one)))) continue;
        waits.delete(id);
        freed = true;
      }
    }
    return new Map([...waits.keys()].map((id) => [id, circleFrom(id, waits)]));
  }

  /** What each execution that waits, waits for. */
  private waits(): Map<string, Alternatives[]> {
    const waits = new Map<string, Alternatives[]>();
    const add = (id: string, ones: Alternatives) => {
      if (!this.ended.has(id)) waits.set(id, [...(waits.get(id) ?? []), ones]);
    };
    for (const [id, row] of this.rows)
      if (row.parent && this.waitsFor(row, this.rows.get(idOf(row.parent)))) add(idOf(row.parent), [id]);
    for (const queue of this.ordering.values()) this.addOrdering(queue, add);
    for (const slots of this.slots.values()) this.addSlots(slots, add);
    for (const [jobKey, lock] of this.locks) this.addLock(jobKey, lock, add);
    return waits;
  }

  /** A run waits for a child that its user retries only if it has opened the task since then. */
  private waitsFor({ parent }: Execution, run: Execution | undefined): boolean {
    if (!run || !isRun(run)) return false;
    if (!parent!.ownGates) return true;
    const workflow = this.flows.get(`${run.jobKey}#${run.run.version}`);
    const index = workflow && graphOf(workflow).indexOf.get(parent!.task);
    return index !== undefined && roundOf(run.run, index) > parent!.round;
  }

  /** Not claimed, or waits for its next attempt. */
  private isWaiting(id: string): boolean {
    return !this.ended.has(id) && this.rows.get(id)?.status !== 'running';
  }

  private addOrdering({ holder, sorts }: OrderingQueue, add: (id: string, ones: Alternatives) => void): void {
    const queued = [...sorts].filter(([id]) => this.isWaiting(id)).sort(([, a], [, b]) => (a < b ? -1 : 1));
    const isTaken = holder !== undefined && !this.ended.has(holder);
    const first = isTaken ? holder : queued[0]?.[0];
    for (const [id] of queued) if (id !== first && first !== undefined) add(id, [first]);
  }

  /** It waits for a slot to be free, and for those before it in the line. A date stands where it began. */
  private addSlots({ holders, waiting }: Slots, add: (id: string, ones: Alternatives) => void): void {
    const before = [...holders.values()];
    const line = [...waiting]
      .filter(([id]) => this.isWaiting(id) && !before.includes(id))
      .map(([id, dueAtMs]) => ({ id, sinceMs: this.rows.get(id)?.askedAtMs ?? dueAtMs }))
      .sort((a, b) => a.sinceMs - b.sinceMs);
    for (const { id } of line) {
      if (before.length > 0) add(id, [...before]);
      before.push(id);
    }
  }

  /** A date of a backfill may have no place at the lock. It waits for the holder, and for the waiter. */
  private addLock(
    jobKey: string,
    { holder, waiter }: OverlapLock,
    add: (id: string, ones: Alternatives) => void,
  ): void {
    const [held, waiting] = [holder, waiter].map((execId) => {
      const id = execId === undefined ? undefined : idOf({ jobKey, execId });
      return id !== undefined && !this.ended.has(id) ? id : undefined;
    });
    if (waiting !== undefined && this.isWaiting(waiting) && held !== undefined && held !== waiting)
      add(waiting, [held]);
    if (this.jobs.get(jobKey)?.overlap === 'allow') return;
    for (const [id, row] of this.rows) {
      const isDate = row.jobKey === jobKey && isBackfilled(row.execId) && row.parent?.overlap !== 'ignore';
      if (!isDate || !this.isWaiting(id) || id === held || id === waiting || !this.hasKey(row)) continue;
      if (held !== undefined) add(id, [held]);
      else if (waiting !== undefined && !isBackfilled(waiter!) && !this.waitsForSlot(id)) add(id, [waiting]);
    }
  }

  /** Whether nothing but its job's gates keeps a date: it has its ordering key, or needs none. */
  private hasKey(row: Execution): boolean {
    const { orderingKey, jobKey } = row;
    if (orderingKey === undefined) return true;
    const { userId } = jobRefOf(jobKey);
    return this.ordering.get(orderingQueueKeyOf({ userId, orderingKey }))?.holder === idOf(row);
  }

  private waitsForSlot(id: string): boolean {
    return [...this.slots.values()].some(({ waiting }) => waiting.has(id));
  }
}

/** From an execution to its circle, and once around. */
function circleFrom(id: string, waits: ReadonlyMap<string, readonly Alternatives[]>): string[] {
  const path = [id];
  for (;;) {
    const stuck = waits.get(path.at(-1)!)!.find((ones) => ones.every((one) => waits.has(one)))!;
    const next = stuck[0]!;
    const from = path.indexOf(next);
    path.push(next);
    if (from >= 0) return path.slice(from);
  }
}
