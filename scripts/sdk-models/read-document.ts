import { type Field, type Model, pascal, type Type } from './models';

/** A schema of the OpenAPI document, as far as it says what a field can hold. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Operation {
  operationId: string;
  parameters?: ({ $ref?: string } & Partial<Parameter>)[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

/**
 * The models of all schemas of the document, and one for the query of each operation that has one. An object
 * within another one becomes a model: `retry` of `Job` is `JobRetry`. Throws for what no model can say.
 */
export function modelsOf(document: Document): Model[] {
  const { schemas } = document.components;
  const reader = new Reader(new Set(Object.keys(schemas)));
  for (const [name, schema] of Object.entries(schemas)) reader.named(name, schema);
  for (const operation of operationsOf(document)) reader.query(operation, document);
  const sent = sentBy(reader.models, operationsOf(document));
  return reader.models.map((model) => ({ ...model, isSent: sent.has(model.name) }));
}

const operationsOf = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path));

class Reader {
  readonly models: Model[] = [];

  constructor(private readonly given: ReadonlySet<string>) {}

  /** Adds the model of a schema that has a name. */
  named(name: string, schema: Schema): void {
    const { description: doc } = schema;
    const variants = schema.oneOf ?? (schema.anyOf && unionIn(schema.anyOf));
    if (variants) this.union(name, schema, variants);
    else if (schema.properties)
      this.add({ is: 'object', name, doc, isSent: false, fields: this.fieldsOf(name, schema) });
    else this.add({ is: 'alias', name, doc, isSent: false, of: this.typeOf(schema, name) });
  }

  query({ operationId, parameters = [] }: Operation, { components }: Document): void {
    const fields = parameters
      .map((one) => (one.$ref === undefined ? (one as Parameter) : components.parameters![nameOf(one.$ref)]!))
      .filter((one) => one.in === 'query')
      .map(({ name, schema, required = false, description }): Field => ({
        name,
        type: this.typeOf(schema, pascal(operationId) + pascal(name)),
        isRequired: required,
        doc: description ?? schema.description,
      }));
    if (fields.length === 0) return;
    const doc = `The query of ${operationId}.`;
    this.add({ is: 'object', name: `${pascal(operationId)}Query`, doc, isSent: true, fields });
  }

  private union(name: string, { description: doc }: Schema, variants: readonly Schema[]): void {
    const orText = variants.some(({ type }) => type === 'string');
    const objects = variants
      .filter(({ type }) => type !== 'string')
      .flatMap(({ oneOf, ...one }) => oneOf ?? [one]);
    const of = objects.map((one) => {
      if (one.$ref !== undefined) return nameOf(one.$ref);
      const kind = one.properties?.['type']?.const;
      if (typeof kind !== 'string') throw new Error(`a variant of ${name} has no constant type`);
      this.named(pascal(kind) + name, one);
      return pascal(kind) + name;
    });
    this.add({ is: 'union', name, doc, isSent: false, of, orText });
  }

  private fieldsOf(model: string, { properties = {}, required = [] }: Schema): Field[] {
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      type: this.typeOf(schema, this.placeOf(model + pascal(name))),
      isRequired: required.includes(name),
      doc: schema.description,
    }));
  }

  /** A schema of the document may have the name already: it then says what requests contain. */
  private placeOf(name: string): string {
    return this.given.has(name) ? `${name}Output` : name;
  }

  /** What a schema allows. `place`: the name of the model that it becomes if it is an object. */
  private typeOf(schema: Schema, place: string): Type {
    const { $ref, type, items, enum: values, const: only, anyOf, oneOf, additionalProperties } = schema;
    if ($ref !== undefined) return { is: 'model', name: nameOf($ref) };
    if (anyOf) return this.eitherOf(anyOf, place, schema);
    if (Array.isArray(type))
      return this.eitherOf(
        type.map((one) => ({ ...schema, type: one })),
        place,
        schema,
      );
    if (oneOf ?? schema.properties) {
      this.named(place, schema);
      return { is: 'model', name: place };
    }
    if (type === 'array') return { is: 'list', of: this.typeOf(items ?? {}, place) };
    if (type === 'object')
      return {
        is: 'map',
        of:
          typeof additionalProperties === 'object' ? this.typeOf(additionalProperties, place) : { is: 'any' },
      };
    if (type === 'string') return textOf(only === undefined ? values : [only]);
    if (type === 'integer' || type === 'number' || type === 'boolean') return { is: type };
    if (type === undefined) return { is: 'any' };
    throw new Error(`${place} is of type ${type}, which no model has`);
  }

  private eitherOf(all: readonly Schema[], place: string, { description }: Schema): Type {
    const others = all.filter(({ type }) => type !== 'null');
    const variants = unionIn(others);
    if (variants && others.length > 1) {
      this.union(place, { ...(description !== undefined && { description }) }, variants);
      return { is: 'model', name: place };
    }
    const types = others.map((one) => this.typeOf(one, place));
    const either: Type = types.length === 1 ? types[0]! : { is: 'either', of: types };
    return others.length < all.length ? { is: 'nullable', of: either } : either;
  }

  private add(model: Model): void {
    if (this.models.some(({ name }) => name === model.name))
      throw new Error(`two models are named ${model.name}`);
    this.models.push(model);
  }
}

/** The variants, if they are objects that their field `type` tells apart. */
const unionIn = (all: readonly Schema[]): readonly Schema[] | undefined =>
  all.some(({ oneOf, properties }) => oneOf !== undefined || properties?.['type']?.const !== undefined)
    ? all
    : undefined;

const textOf = (values: readonly unknown[] | undefined): Type =>
  values ? { is: 'text', values: values.map(String) } : { is: 'text' };

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The models that bodies of requests contain. */
function sentBy(models: readonly Model[], operations: readonly Operation[]): Set<string> {
  const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
  const sent = new Set<string>();
  const open = [
    ...bodies.flatMap(({ schema }) => schema.$ref ?? []).map(nameOf),
    ...models.filter(({ isSent }) => isSent).map(({ name }) => name),
  ];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (sent.has(name)) continue;
    sent.add(name);
    const model = models.find((one) => one.name === name);
    if (model) open.push(...neededBy(model));
  }
  return sent;
}

/** The models that a model names. */
export function neededBy(model: Model): string[] {
  if (model.is === 'union') return [...model.of];
  const types = model.is === 'alias' ? [model.of] : model.fields.map(({ type }) => type);
  return types.flatMap(namedIn);
}

function namedIn(type: Type): string[] {
  if (type.is === 'model') return [type.name];
  if (type.is === 'either') return type.of.flatMap(namedIn);
  return 'of' in type ? namedIn(type.of) : [];
}
