import { type JobDefinition, targetsOf } from '../../core/domain/job';
import { graphOf } from '../../core/domain/workflow/graph';
import { rootsOfDelivery } from '../../core/domain/workflow/task-roots';
import { faultOfPool } from '../../core/contracts/pools';
import type { Roots } from '../../core/templates/roots';
import type { FieldError } from '../http/problem';
import type { ApiSettings } from '../request';

/** Where a target stands in a definition, by its index in `everyTargetOf`. */
function pathOfTarget(
  definition: Pick<JobDefinition, 'target' | 'targets' | 'onEnd'>,
  index: number,
): string {
  const own = targetsOf(definition).length;
  if (index < own) return definition.targets ? `targets.${index}` : 'target';
  return index === own && definition.onEnd?.succeeded ? 'onEnd.succeeded' : 'onEnd.failed';
}

/** What is delivered as a whole: a job, or a task of its workflow. */
export interface Part extends Pick<JobDefinition, 'target' | 'targets' | 'onEnd' | 'payload' | 'templates'> {
  /** Path of its fields: empty, or that of the task with a dot at its end. */
  path: string;
  /** Its field with the body. */
  body: 'payload' | 'input';
  pool: string | undefined;
  /** Only of a task: the roots of its templates. */
  roots?: Roots;
}

/** A definition in parts: the job's own fields, then the tasks of its workflow. */
export function partsOf(definition: JobDefinition): Part[] {
  const content = definition.workflow?.content;
  const graph = content && graphOf(content);
  return [
    { ...definition, path: '', body: 'payload' },
    ...(graph?.tasks ?? []).map(({ id, index, task: { target, targets, input, pool } }): Part => ({
      path: `workflow.tasks.${id}.`,
      body: 'input',
      target: target ?? targets?.[0],
      ...(targets && { targets }),
      payload: input,
      templates: true,
      pool,
      roots: rootsOfDelivery(graph!, index),
    })),
  ];
}

/** Path of a target of a part, by its index in `everyTargetOf`. */
export const targetPathOf = (part: Part, index: number): string => part.path + pathOfTarget(part, index);

export function faultsOfPool({ path, pool }: Part, { pools }: ApiSettings): FieldError[] {
  const message = faultOfPool(pool, pools);
  return message === undefined ? [] : [{ path: `${path}pool`, message }];
}
