/*
 * A small interpreter of the Amazon States Language, in JSONPath, for the states and fields that an import
 * translates. It knows nothing of the import: tests compare the two.
 */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = Record<string, Json>;
type Machine = { StartAt: string; States: Record<string, Fields> };

/** A call of a task: which state, with which body. */
export interface Call {
  state: string;
  input: Json;
}

/** How the n-th call of a state is replied to, counted from 0. */
export type Reply = { status: number; body?: Json };
export type Replies = (state: string, count: number) => Reply;

export interface Ended {
  status: 'succeeded' | 'failed';
  /** In their order. Those of the branches of a Parallel stand one branch after the other. */
  calls: Call[];
  /** A branch failed: a real execution abandons those beside it, which run to their ends here. */
  hasAbandoned: boolean;
}

class StateError extends Error {
  constructor(
    readonly error: string,
    readonly isCatchable: boolean,
  ) {
    super(error);
  }
}
const runtimeError = (why: string) => new StateError(`States.Runtime: ${why}`, false);

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a reference path such as `$.a.b[0]`; undefined: there is none. */
function find(path: string, input: Json): Json | undefined {
  const steps = [...path.slice(1).matchAll(/\.([\w-]+)|\['([^']+)'\]|\[(-?\d+)\]/g)];
  return steps.reduce<Json | undefined>((value, [, plain, quoted, index]) => {
    if (index !== undefined) return Array.isArray(value) ? value.at(Number(index)) : undefined;
    const name = (plain ?? quoted)!;
    return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, input);
}

function read(path: string, input: Json): Json {
  const value = find(path, input);
  if (value === undefined) throw runtimeError(`${path} has no value`);
  return value;
}

function template(value: Json, input: Json): Json {
  if (Array.isArray(value)) return value.map((item) => template(item, input));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key.endsWith('.$') ? [key.slice(0, -2), read(inner as string, input)] : [key, template(inner, input)],
    ),
  );
}

const selected = (state: Fields, field: string, input: Json): Json => {
  const path = state[field];
  if (path === null) return {};
  return path === undefined ? input : read(path as string, input);
};

function placed(path: Json | undefined, input: Json, result: Json): Json {
  if (path === null) return input;
  if (path === undefined || path === '$') return result;
  const put = (value: Json | undefined, [name, ...below]: string[]): Json => {
    if (name === undefined) return result;
    if (value !== undefined && !isFields(value)) throw runtimeError('ResultPath leads into no object');
    return { ...value, [name]: put(value?.[name], below) };
  };
  return put(input, (path as string).slice(2).split('.'));
}

const typed = { String: 'string', Numeric: 'number', Boolean: 'boolean' } as const;

function matches(rule: Fields, input: Json): boolean {
  if (Array.isArray(rule.And)) return rule.And.every((one) => matches(one as Fields, input));
  if (Array.isArray(rule.Or)) return rule.Or.some((one) => matches(one as Fields, input));
  if (isFields(rule.Not)) return !matches(rule.Not, input);
  const operator = Object.keys(rule).find((name) => name !== 'Variable' && name !== 'Next')!;
  const operand = rule[operator]!;
  const found = find(rule.Variable as string, input);
  if (operator === 'IsPresent') return (found !== undefined) === operand;
  if (found === undefined) throw runtimeError(`${rule.Variable as string} has no value`);
  if (operator === 'IsNull') return (found === null) === operand;
  const [, is] = /^Is(String|Numeric|Boolean)$/.exec(operator) ?? [];
  if (is) return (typeof found === typed[is as keyof typeof typed]) === operand;
  const [, type, order] = /^(String|Numeric|Boolean)(.+)$/.exec(operator)!;
  if (typeof found !== typed[type as keyof typeof typed]) return false;
  switch (order as string) {
    case 'Equals':
      return found === operand;
    case 'GreaterThan':
      return (found as number) > (operand as number);
    case 'GreaterThanEquals':
      return (found as number) >= (operand as number);
    case 'LessThan':
      return (found as number) < (operand as number);
    default:
      return (found as number) <= (operand as number);
  }
}

export function interpret(machine: Machine, input: Json, replies: Replies): Ended {
  const execution = new Execution(replies);
  const status = execution.statusOf(machine, input);
  const { calls, hasAbandoned } = execution;
  return { status, calls, hasAbandoned };
}

class Execution {
  readonly calls: Call[] = [];
  hasAbandoned = false;
  private readonly counts: Record<string, number> = {};

  constructor(private readonly replies: Replies) {}

  statusOf(machine: Machine, input: Json): Ended['status'] {
    try {
      this.runMachine(machine, input);
      return 'succeeded';
    } catch (error) {
      if (error instanceof StateError) return 'failed';
      throw error;
    }
  }

  private runMachine({ StartAt, States }: Machine, given: Json): Json {
    let [name, value]: [string | undefined, Json] = [StartAt, given];
    while (name !== undefined) [name, value] = this.runState(name, States[name]!, value);
    return value;
  }

  private runState(name: string, state: Fields, input: Json): [next: string | undefined, output: Json] {
    const next = typeof state.Next === 'string' ? state.Next : undefined;
    if (state.Type === 'Fail') throw new StateError('failed', true);
    const effective = selected(state, 'InputPath', input);
    switch (state.Type as string) {
      case 'Choice': {
        const rule = (state.Choices as Fields[]).find((one) => matches(one, effective));
        const to = rule ? rule.Next : state.Default;
        if (typeof to !== 'string') throw new StateError('States.NoChoiceMatched', false);
        return [to, selected(state, 'OutputPath', effective)];
      }
      case 'Wait':
      case 'Succeed':
        return [next, selected(state, 'OutputPath', effective)];
    }
    const given = state.Parameters === undefined ? effective : template(state.Parameters, effective);
    const finished = (result: Json): Json => {
      const chosen = state.ResultSelector === undefined ? result : template(state.ResultSelector, result);
      return selected(state, 'OutputPath', placed(state.ResultPath, input, chosen));
    };
    switch (state.Type as string) {
      case 'Pass':
        return [next, finished(state.Result ?? given)];
      case 'Parallel':
        return [next, finished(this.branches(state.Branches as unknown as Machine[], given))];
      default:
        try {
          return [next, finished(this.call(name, state, given))];
        } catch (error) {
          const [handler] = (state.Catch ?? []) as Fields[];
          if (!handler || !(error instanceof StateError) || !error.isCatchable) throw error;
          const output = placed(handler.ResultPath, input, { Error: error.error, Cause: '' });
          return [handler.Next as string, output];
        }
    }
  }

  private branches(all: Machine[], given: Json): Json {
    const errors: unknown[] = [];
    const outputs = all.map((branch) => {
      try {
        return this.runMachine(branch, given);
      } catch (error) {
        errors.push(error);
        return null;
      }
    });
    if (errors.length === 0) return outputs;
    this.hasAbandoned = true;
    throw errors[0]; // eslint-disable-line @typescript-eslint/only-throw-error
  }

  private call(name: string, state: Fields, given: Json): Json {
    const [retrier] = (state.Retry ?? []) as Fields[];
    const most = retrier ? Number(retrier.MaxAttempts ?? 3) : 0;
    for (let attempt = 0; ; attempt++) {
      const count = (this.counts[name] = (this.counts[name] ?? -1) + 1);
      this.calls.push({ state: name, input: (given as Fields).RequestBody ?? null });
      const { status, body = '' } = this.replies(name, count);
      if (status < 300) return { ResponseBody: body, StatusCode: status, Headers: {}, StatusText: 'OK' };
      if (attempt >= most) throw new StateError(`States.Http.StatusCode.${status}`, true);
    }
  }
}
