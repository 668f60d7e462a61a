import type { Json } from '../json';
import { templateOf } from './value';

/** What a task depends on. */
export interface Dependency {
  task: string;
  branch?: string;
}

/**
 * A way through the tasks: exactly one of these is met if the state is entered, and none counts otherwise.
 * Empty: it is entered in any case. Undefined: it is never entered.
 */
export type Way = readonly Dependency[];

export const MAX_RUN_SEC = 30 * 86_400;
const MAX_ID = 48;
const MAX_NOTE = 500;
const MAX_CONDITIONS = 20;

/** The tasks of a workflow that is being made. */
export class Tasks {
  readonly made: Record<string, Json> = {};

  /** Adds a task after a way, with an id of its own. */
  add(name: string, task: Json, after: Way): string {
    const id = this.idFor(name);
    this.made[id] = { ...task, ...(after.length > 0 && { dependsOn: [...after] }) };
    return id;
  }

  /** A task that does nothing but fail, with a text that says why. */
  addFailure(name: string, text: string, after: Way): string {
    // A text is no number, so this comparison fails the task, and the message has the text.
    return this.add(name, { note: noteOf('fails in any case'), when: { value: text, gt: 0 } }, after);
  }

  /** Lets the way go on only if these expressions have values; else the run fails, as it did there. */
  guarded(name: string, reads: ReadonlySet<string>, way: Way): Way {
    if (reads.size === 0) return way;
    // One character of each value: they may be large.
    const first = [...reads].map((one) => templateOf(`${one} | json | slice(0, 1)`));
    const perCondition = Math.ceil(first.length / MAX_CONDITIONS);
    const conditions = Array.from({ length: Math.ceil(first.length / perCondition) }, (_, index) => ({
      value: first.slice(index * perCondition, (index + 1) * perCondition).join(''),
      notEquals: '',
    }));
    const when = conditions.length === 1 ? conditions[0] : { all: conditions };
    return [{ task: this.add(name, { note: noteOf('fails if a value is missing'), when }, way) }];
  }

  /** One dependency that is met if the way is taken. */
  joined(name: string, way: Way): Way {
    return way.length <= 1 ? way : [{ task: this.add(name, {}, way) }];
  }

  private idFor(name: string): string {
    const allowed = name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[^A-Za-z]+/, '');
    const base = allowed || 'state';
    for (let count = 1; ; count++) {
      const suffix = count === 1 ? '' : `-${count}`;
      const id = base.slice(0, MAX_ID - suffix.length) + suffix;
      if (!Object.hasOwn(this.made, id)) return id;
    }
  }
}

/** A text for the note of a task: on one line, cut to the maximum length. */
export const noteOf = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, MAX_NOTE);

/** Either of these ways. */
export function eitherOf(ways: readonly (Way | undefined)[]): Way | undefined {
  const taken = ways.filter((way) => way !== undefined);
  if (taken.length === 0) return undefined;
  return [...new Map(taken.flat().map((one) => [`${one.task} ${one.branch ?? ''}`, one])).values()];
}
