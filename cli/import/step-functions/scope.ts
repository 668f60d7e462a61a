import { isObject } from '../../is-object';
import { type Json, pathIn, Unmapped } from '../json';
import { EMPTY, literalOf, objectOf, partOf, pathTo, stepsOf, unknown, type Value, withPart } from './value';

/** The parameter of a workflow that holds the input of an execution. */
export const INPUT = 'input';
export const executionInput = (): Value => ({ kind: 'path', text: `params.${INPUT}`, isObject: true });

/** These have a value in any case. */
const IS_WHOLE = /^(?:params\.input|tasks\.[\w-]+\.output|run\.\w+|item|index)$/;

/** What templates can name of one item of a Map. */
export interface Item {
  value: Value;
  index: Value;
}

/**
 * Reads paths and templates of one state. `reads` collects the expressions that must have a value: an
 * execution of Step Functions fails where one of them has none.
 */
export class Scope {
  readonly reads = new Set<string>();

  constructor(
    private readonly stateName: string,
    private readonly item?: Item,
  ) {}

  /** Throws `Unmapped`, also for a path that never has a value. */
  path(path: string, input: Value): Value {
    const found = this.optional(path, input);
    if (!found) throw new Unmapped(`${path} has no value here, so the state would fail`);
    return found;
  }

  /** As `path`; undefined for a path that never has a value. What it finds may be missing. */
  optional(path: string, input: Value): Value | undefined {
    if (path.startsWith('States.'))
      throw new Unmapped(`the intrinsic function ${path.slice(0, 60)} is not translated`);
    if (path.startsWith('$$')) return this.context(path);
    const steps = stepsOf(path);
    const found = partOf(input, steps);
    if (found?.kind === 'unknown' && found.mayBeMissing) throw new Unmapped(found.why);
    if (found?.kind === 'path' && !IS_WHOLE.test(found.text)) this.reads.add(found.text);
    return found;
  }

  /** InputPath and OutputPath. */
  selected(json: Json, field: 'InputPath' | 'OutputPath', input: Value): Value {
    const path = pathIn(json, field);
    if (path === null) return EMPTY;
    return path === undefined || path === '$' ? input : this.path(path, input);
  }

  /** Parameters, ItemSelector and ResultSelector. */
  template(value: unknown, input: Value): Value {
    if (Array.isArray(value))
      return { kind: 'list', items: value.map((inner) => this.template(inner, input)) };
    if (!isObject(value)) return literalOf(value);
    const fields = Object.entries(value).map(([key, inner]): [string, Value] => {
      if (!key.endsWith('.$')) return [key, this.template(inner, input)];
      if (typeof inner !== 'string') throw new Unmapped(`${key} is no path`);
      return [key.slice(0, -2), this.path(inner, input)];
    });
    const byName = new Map(fields);
    if (byName.size < fields.length) throw new Unmapped('a template has a field and its path');
    return { kind: 'object', fields: byName };
  }

  /** ResultPath. */
  placed(path: string | null | undefined, input: Value, result: Value): Value {
    if (path === null) return input;
    if (path === undefined || path === '$') return result;
    const steps = stepsOf(path);
    // Step Functions fails where the input is no object, and so does the filter `keys`.
    const base = input.kind === 'object' ? input.rest : input;
    if (base?.kind === 'path' && !base.isObject) this.reads.add(`${base.text} | keys`);
    return withPart(input, steps, result);
  }

  private context(path: string): Value {
    const steps = stepsOf(path.slice(1));
    const none = (why: string) => unknown(`${path} has no counterpart: ${why}`);
    const value = partOf(
      objectOf({
        Execution: objectOf(
          {
            Input: executionInput(),
            Name: pathTo('run.id'),
            StartTime: pathTo('run.startedAt'),
          },
          none('only Input, Name and StartTime have one'),
        ),
        State: objectOf({ Name: literalOf(this.stateName) }, none('only Name has one')),
        StateMachine: unknown(`${path} has no counterpart: a job is named by its id`),
        Task: unknown(`${path} has no counterpart: use a target with mode async`),
        ...(this.item && {
          Map: objectOf({ Item: objectOf({ Value: this.item.value, Index: this.item.index }) }),
        }),
      }),
      steps,
    );
    if (!value) throw new Unmapped(`${path} has no counterpart`);
    if (value.kind === 'path' && !IS_WHOLE.test(value.text)) this.reads.add(value.text);
    return value;
  }
}
