import { suggestionFor } from '../../contracts/suggestion';
import type { Json } from '../../templates/syntax';
import { shown } from '../../templates/template-error';
import type { WorkflowFault } from './check';
import { MAX_PARAMS_BYTES, type Workflow } from './definition';
import { jsonTypeOf } from './task-roots';

export const PARAM_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** Values of parameters by their names. */
export type Params = Readonly<Record<string, Json>>;

export const bytesOfJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * What is wrong with the values that a run is given. Each must be of a parameter that the workflow has, and
 * of the same type as its default value. A default of null allows every type.
 */
export function faultsOfParams(declared: Workflow['params'], given: Params): WorkflowFault[] {
  const bytes = bytesOfJson(given);
  if (bytes > MAX_PARAMS_BYTES)
    return [{ path: 'params', message: `must have at most ${MAX_PARAMS_BYTES} bytes as JSON, not ${bytes}` }];
  const names = Object.keys(declared ?? {});
  return Object.entries(given).flatMap(([name, value]): WorkflowFault[] => {
    const path = `params.${name}`;
    if (!declared || !Object.hasOwn(declared, name))
      return [{ path, message: `is no parameter of the workflow${suggestionFor(name, names)}` }];
    const byDefault = declared[name]!;
    if (byDefault === null || jsonTypeOf(byDefault) === jsonTypeOf(value)) return [];
    return [
      {
        path,
        message: `must be ${jsonTypeOf(byDefault)}, as its default ${shown(byDefault)}, not ${shown(value)}`,
      },
    ];
  });
}

/** The values of a run: those that it was given, and the defaults of the others. */
export const paramsOf = ({ params = {} }: Workflow, given: Params = {}): Params => ({ ...params, ...given });
