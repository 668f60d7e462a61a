import { isDeepStrictEqual } from 'node:util';

import type { Clock } from '../../machine/clock';
import type { Delivery, EndEvent } from '../step-functions/execution';
import { openExecutionFile } from '../step-functions/execution-file';
import { taskScriptOf, type TaskScript } from './scripts';
import { type EcsTask, familyOf, type RunTaskRequest, stopEventOf, stopOf } from './task';

/** How long ECS shows a task that has stopped, and remembers its token beyond its end. */
const VISIBLE_MS = 3_600_000;

interface TaskDeps {
  clock: Clock;
  newId(): string;
  scripts: readonly TaskScript[];
  /** Where the tasks are kept; undefined: nowhere. */
  path: string | undefined;
  /** Passes the event of an end to the default bus. */
  publish(event: EndEvent): Promise<void>;
}

type Run = { task: EcsTask; isNew: boolean } | { conflict: string };

/**
 * The tasks of clusters. Nothing runs here: a task waits, then ends as its script says, or as a button says.
 * As in ECS, a token means its first answer, a refusal too. It is forgotten an hour after the task.
 */
export class EcsTasks {
  private readonly byArn = new Map<string, EcsTask>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly startsOf = new Map<string, number>();
  private readonly file;

  constructor(private readonly deps: TaskDeps) {
    this.file = openExecutionFile(deps.path, this.byArn);
    for (const task of this.byArn.values()) if (task.status === 'RUNNING') this.await(task);
  }

  run(request: RunTaskRequest): Run {
    const known = this.visible().find(
      ({ request: { cluster, clientToken } }) =>
        cluster === request.cluster && clientToken === request.clientToken,
    );
    if (known)
      return isDeepStrictEqual(known.request, request)
        ? { task: known, isNew: false }
        : { conflict: known.arn };
    const family = familyOf(request.taskDefinition);
    const starts = this.startsOf.get(family) ?? 0;
    this.startsOf.set(family, starts + 1);
    const { lastsMs, ends } = taskScriptOf(this.deps.scripts, family);
    const end = ends[Math.min(starts, ends.length - 1)]!;
    const startedMs = this.deps.clock.nowMs();
    const isRefused = end === 'no-room';
    const task: EcsTask = {
      arn: `${request.cluster.replace(':cluster/', ':task/')}/${this.deps.newId().replaceAll('-', '')}`,
      ...{ request, startedMs, ends: end, delivery: 'once' },
      endsMs: startedMs + lastsMs,
      ...(isRefused ? { status: 'REFUSED', stoppedMs: startedMs } : { status: 'RUNNING' }),
    };
    this.write(task);
    if (!isRefused) this.await(task);
    return { task, isNew: true };
  }

  /** One that can be described. */
  get(arn: string): EcsTask | undefined {
    return this.visible().find((task) => task.arn === arn && task.status !== 'REFUSED');
  }

  startedBy(cluster: string, startedBy: string, status: string): EcsTask[] {
    return this.visible().filter(
      (task) =>
        task.status === status && task.request.cluster === cluster && task.request.startedBy === startedBy,
    );
  }

  /** Ends a running task now; one that has ended stays as it is. Undefined: there is none. */
  end(arn: string, stop: Pick<EcsTask, 'stopCode' | 'stoppedReason' | 'exitCode'>): EcsTask | undefined {
    const task = this.byArn.get(arn);
    if (task?.status !== 'RUNNING') return task;
    clearTimeout(this.timers.get(arn));
    this.timers.delete(arn);
    const ended: EcsTask = { ...task, ...stop, status: 'STOPPED', stoppedMs: this.deps.clock.nowMs() };
    this.write(ended);
    this.tell(ended);
    return ended;
  }

  /** How often the event of its end is delivered. The event of one that has ended is delivered once more. */
  deliver(arn: string, delivery: Delivery): EcsTask | undefined {
    const task = this.byArn.get(arn);
    if (!task) return undefined;
    const changed = { ...task, delivery };
    this.write(changed);
    if (changed.status === 'STOPPED' && delivery === 'twice') this.tell({ ...changed, delivery: 'once' });
    return changed;
  }

  /** All that is known, the newest first. */
  list(): EcsTask[] {
    return [...this.byArn.values()].toReversed();
  }

  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private visible(): EcsTask[] {
    const sinceMs = this.deps.clock.nowMs() - VISIBLE_MS;
    return this.list().filter(({ stoppedMs }) => stoppedMs === undefined || stoppedMs > sinceMs);
  }

  private await({ arn, endsMs, ends }: EcsTask): void {
    const end = (): void => void this.end(arn, stopOf(ends));
    this.timers.set(arn, setTimeout(end, Math.max(0, endsMs - this.deps.clock.nowMs())));
  }

  private write(task: EcsTask): void {
    this.byArn.set(task.arn, task);
    this.file.append(task);
  }

  private tell(task: EcsTask): void {
    const times = { lost: 0, once: 1, twice: 2 }[task.delivery];
    const event = stopEventOf(task, this.deps.newId());
    for (let n = 0; n < times; n += 1) void this.deps.publish(event);
  }
}
