import { isDeepStrictEqual } from 'node:util';

import { type Shown, StandIn, type ToEnd } from '../stand-in';
import type { EndEvent } from '../step-functions/execution';
import { taskScriptOf, type TaskScript } from './scripts';
import { type EcsTask, familyOf, type RunTaskRequest, stopEventOf, stopOf } from './task';

/** How long ECS shows a task that has stopped, and remembers its token beyond its end. */
const VISIBLE_MS = 3_600_000;

type Run = { task: EcsTask; isNew: boolean } | { conflict: string };

/**
 * The tasks of clusters. As in ECS, a token means its first answer, a refusal too. It is forgotten an hour
 * after the task.
 */
export class EcsTasks extends StandIn<EcsTask, TaskScript> {
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
    const { lastsMs, ends } = taskScriptOf(this.deps.scripts, family);
    const end = this.nextEnd(family, ends);
    const startedMs = this.deps.clock.nowMs();
    const task: EcsTask = {
      arn: `${request.cluster.replace(':cluster/', ':task/')}/${this.deps.newId().replaceAll('-', '')}`,
      ...{ request, startedMs, ends: end, delivery: 'once' },
      endsMs: startedMs + lastsMs,
      ...(end === 'no-room' ? { status: 'REFUSED', stoppedMs: startedMs } : { status: 'RUNNING' }),
    };
    this.begin(task);
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
    return this.finish(arn, { ...stop, status: 'STOPPED' });
  }

  protected scriptNameOf({ request }: EcsTask): string {
    return familyOf(request.taskDefinition);
  }

  protected endByScript({ arn, ends }: EcsTask): void {
    this.end(arn, stopOf(ends));
  }

  protected shown({ request, stoppedReason, exitCode }: EcsTask): Shown {
    return {
      of: request.taskDefinition.split('/').at(-1)!,
      name: request.startedBy,
      input: JSON.stringify(request.overrides?.containerOverrides?.[0]?.environment ?? []),
      cause: exitCode === undefined ? stoppedReason : `exit ${exitCode}`,
    };
  }

  protected endBy(arn: string, act: ToEnd): EcsTask | undefined {
    return this.end(
      arn,
      stopOf(({ 'end well': 'exit-0', 'end badly': 'exit-1', 'interrupt it': 'spot' } as const)[act]),
    );
  }

  protected endsBy({ status }: EcsTask): readonly ToEnd[] {
    return status === 'REFUSED' ? [] : ['end well', 'end badly', 'interrupt it'];
  }

  protected eventOf(task: EcsTask, id: string): EndEvent | undefined {
    return task.status === 'STOPPED' ? stopEventOf(task, id) : undefined;
  }

  private visible(): EcsTask[] {
    const sinceMs = this.deps.clock.nowMs() - VISIBLE_MS;
    return this.list().filter(({ stoppedMs }) => stoppedMs === undefined || stoppedMs > sinceMs);
  }
}
