import { LocalRunError } from '../run/errors';

/** Resolves `Ref` and `Fn::GetAtt`. Both throw a `LocalRunError` for an unknown reference. */
export interface References {
  ref(logicalId: string, where: string): unknown;
  attribute(logicalId: string, name: string, where: string): unknown;
}

/** Value of `{ Ref: 'AWS::NoValue' }`. It removes its property, or its item of a list. */
export const NO_VALUE = Symbol('AWS::NoValue');

type Evaluate = (argument: unknown, references: References, where: string) => unknown;

const INTRINSICS: Record<string, Evaluate> = {
  Ref: (argument, references, where) => references.ref(text(argument, where), where),

  'Fn::GetAtt': (argument, references, where) => {
    const path = typeof argument === 'string' ? argument.split('.') : list(argument, where);
    const [logicalId, ...name] = path.map((part) => text(part, where));
    return references.attribute(logicalId ?? '', name.join('.'), where);
  },

  'Fn::Join': (argument, references, where) => {
    const [separator, parts] = list(argument, where);
    return list(resolveIntrinsics(parts, references, where), where)
      .map((part) => text(part, where))
      .join(text(separator, where));
  },

  'Fn::Select': (argument, references, where) => {
    const [index, from] = list(resolveIntrinsics(argument, references, where), where);
    const options = list(from, where);
    const chosen = options[Number(index)];
    if (chosen === undefined)
      throw new LocalRunError(`${where}: Fn::Select selects item ${String(index)} of ${options.length}`);
    return chosen;
  },

  'Fn::Split': (argument, references, where) => {
    const [separator, whole] = list(resolveIntrinsics(argument, references, where), where);
    return text(whole, where).split(text(separator, where));
  },

  'Fn::Sub': (argument, references, where) => {
    const [pattern, given] = typeof argument === 'string' ? [argument, {}] : list(argument, where);
    const values = resolveIntrinsics(given ?? {}, references, where) as Record<string, unknown>;
    return text(pattern, where).replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (Object.hasOwn(values, name)) return text(values[name], where);
      const dot = name.indexOf('.');
      const value =
        dot < 0
          ? references.ref(name, where)
          : references.attribute(name.slice(0, dot), name.slice(dot + 1), where);
      return text(value, where);
    });
  },
};

/**
 * Resolves all intrinsics in a value of the template. `where` is the path for error messages, such as
 * `ScanQueue.RedrivePolicy`. Throws a `LocalRunError` for an unsupported intrinsic.
 */
export function resolveIntrinsics(value: unknown, references: References, where: string): unknown {
  if (Array.isArray(value))
    return value
      .map((item) => resolveIntrinsics(item, references, where))
      .filter((item) => item !== NO_VALUE);
  if (typeof value !== 'object' || value === null) return value;

  const entries = Object.entries(value);
  const [only] = entries;
  if (only && entries.length === 1 && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
    const [name, argument] = only;
    const evaluate = Object.hasOwn(INTRINSICS, name) ? INTRINSICS[name] : undefined;
    if (!evaluate) throw new LocalRunError(`${where}: the local run does not support the intrinsic ${name}`);
    return evaluate(argument, references, where);
  }
  return Object.fromEntries(
    entries
      .map(([key, item]) => [key, resolveIntrinsics(item, references, `${where}.${key}`)] as const)
      .filter(([, item]) => item !== NO_VALUE),
  );
}

function list(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new LocalRunError(`${where}: an intrinsic expects a list, not ${JSON.stringify(value)}`);
}

function text(value: unknown, where: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new LocalRunError(`${where}: an intrinsic expects a string, not ${JSON.stringify(value)}`);
}
