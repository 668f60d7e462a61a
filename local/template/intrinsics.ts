import { LocalRunError } from '../run/errors';

/** What `Ref` and `Fn::GetAtt` give. Both throw for what they do not know. */
export interface References {
  ref(logicalId: string, where: string): unknown;
  attribute(logicalId: string, name: string, where: string): unknown;
}

/** `{ Ref: 'AWS::NoValue' }` takes the property away that it is the value of. */
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
      throw new LocalRunError(`${where}: Fn::Select wants item ${String(index)} of ${options.length}`);
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
 * Replaces every intrinsic in a value of the template. `where` names the place in errors, as in
 * `ScanQueue.RedrivePolicy`. An intrinsic that is not known is an error, never left in place.
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
    if (!evaluate) throw new LocalRunError(`${where}: the local run does not know the intrinsic ${name}`);
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
  throw new LocalRunError(`${where}: an intrinsic wants a list, got ${JSON.stringify(value)}`);
}

function text(value: unknown, where: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new LocalRunError(`${where}: an intrinsic wants a text, got ${JSON.stringify(value)}`);
}
