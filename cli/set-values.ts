import { isObject } from './is-object';
import { nestedValuesOf } from './named-values';

type Schema = Readonly<Record<string, unknown>>;

/**
 * A payload by `--set name=value`: what the job has of its own, with these fields. A text stays one where the
 * schema takes nothing else, so `--set id=42` is "42" there.
 */
export function payloadWith(
  given: readonly string[],
  { payload, payloadSchema }: { payload?: unknown; payloadSchema?: Schema },
): Record<string, unknown> {
  const texts = given.map((one) => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(one) ?? [];
    return isTextAt(name.split('.'), payloadSchema) ? `${name}=${JSON.stringify(value)}` : one;
  });
  return merged(isObject(payload) ? payload : {}, nestedValuesOf('--set', texts) ?? {});
}

/** Whether the schema takes a text alone at a path of fields. */
function isTextAt(path: readonly string[], root: Schema | undefined): boolean {
  let schema: unknown = root;
  for (const name of path) {
    const { properties } = isObject(resolved(schema, root)) ? (resolved(schema, root) as Schema) : {};
    schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  const leaf = resolved(schema, root);
  return isObject(leaf) && leaf.type === 'string';
}

/** What a reference such as `#/$defs/order` leads to; one step, as libraries write it. */
function resolved(schema: unknown, root: unknown): unknown {
  const ref = isObject(schema) ? schema.$ref : undefined;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema;
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
}

function merged(below: Readonly<Record<string, unknown>>, above: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(above).map(([name, value]): [string, unknown] => {
    const known = Object.hasOwn(below, name) ? below[name] : undefined;
    return [name, isObject(value) && isObject(known) ? merged(known, value) : value];
  });
  return { ...below, ...Object.fromEntries(fields) } as Record<string, unknown>;
}
