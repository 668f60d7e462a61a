import type { Field, Model, Type } from './models';

/** A union as one object that has the fields of all its variants: Go has no unions. */
export function mergedUnion(
  union: Model & { is: 'union' },
  byName: ReadonlyMap<string, Model>,
): Model & { is: 'object' } {
  const variants = variantsOf(union, byName);
  const names = new Set(variants.flatMap(({ fields }) => fields.map(({ name }) => name)));
  const fields = [...names].map((name) => mergedField(name, variants, byName));
  const { doc, isSent } = union;
  return { is: 'object', name: union.name, doc, isSent, fields };
}

type Variant = Model & { is: 'object' };

const variantsOf = (union: Model & { is: 'union' }, byName: ReadonlyMap<string, Model>): Variant[] =>
  union.of.flatMap((name) => {
    const model = byName.get(name);
    if (model?.is === 'union') return variantsOf(model, byName);
    if (model?.is !== 'object') throw new Error(`${name}, a variant of ${union.name}, is no object`);
    return [model];
  });

function mergedField(name: string, variants: readonly Variant[], byName: ReadonlyMap<string, Model>): Field {
  const having = variants.filter(({ fields }) => fields.some((one) => one.name === name));
  const given = having.map(({ fields }) => fields.find((one) => one.name === name)!);
  const kinds = having.map(kindOf);
  const docs = new Set(given.map(({ doc }) => doc));
  const own = docs.size === 1 ? given[0]!.doc : undefined;
  const only = having.length === variants.length ? undefined : `Only of ${kinds.join(', ')}.`;
  return {
    name,
    type: mergedType(
      given.map(({ type }) => type),
      byName,
    ),
    isRequired: having.length === variants.length && given.every(({ isRequired }) => isRequired),
    doc: [only, own].filter(Boolean).join(' ') || undefined,
  };
}

/** The constant `type` of a variant. */
function kindOf({ fields }: Variant): string {
  const type = fields.find(({ name }) => name === 'type')?.type;
  return type?.is === 'text' ? (type.values ?? []).join(', ') : '';
}

/** The first of them if all hold the same; a text if all are texts; else anything. */
function mergedType(types: readonly Type[], byName: ReadonlyMap<string, Model>): Type {
  const shapes = new Set(
    types.map((type) => JSON.stringify(type, (_, value: unknown) => shapeOf(value, byName))),
  );
  if (shapes.size === 1) return types[0]!;
  const texts = types.flatMap((type) => (type.is === 'text' ? [type] : []));
  if (texts.length < types.length) return { is: 'any' };
  if (texts.some(({ values }) => values === undefined)) return { is: 'text' };
  return { is: 'text', values: [...new Set(texts.flatMap(({ values = [] }) => values))] };
}

/** Two models with the same fields are one, whatever their names. */
function shapeOf(value: unknown, byName: ReadonlyMap<string, Model>): unknown {
  const { is, name } = (value ?? {}) as Partial<Type & { name: string }>;
  const model = is === 'model' && name !== undefined ? byName.get(name) : undefined;
  return model?.is === 'object' ? model.fields : value;
}
