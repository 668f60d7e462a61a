import { type Named } from './operations';
import { type Document, nameOf, type Parameter, pythonType, type Route, type Schema, snake } from './openapi';

/** An argument of a method. */
interface Argument {
  name: string;
  type: string;
  /** Absent: the argument is required. */
  default?: string;
  doc?: string | undefined;
}

/** A method of the client, as both its forms need it. */
export interface Method {
  name: string;
  doc: string[];
  arguments: Argument[];
  /** How many of them are given by position. */
  byPosition: number;
  result: string;
  isListing: boolean;
  /** The call of the API: an expression of Python. */
  call: string;
}

const LONGEST_DOC = 2_000;

export function methodOf(document: Document, route: Route, named: Named): Method {
  const { parameters = [] } = route;
  const within = (place: Parameter['in']) => parameters.filter((one) => one.in === place);
  const query = within('query').filter(
    ({ name }) => name !== 'cursor' && !named.without?.includes(name) && named.query?.[name] === undefined,
  );
  const response = responseOf(document, route);
  const isListing =
    within('query').some(({ name }) => name === 'cursor') && response.items !== undefined && !named.expect;
  const first = [
    ...within('path').map(({ name, schema }) => ({ name: snake(name), type: pathType(schema) })),
    ...bodyArguments(document, route, named, true),
    ...query.filter(({ required }) => required).map(queryArgument),
  ];
  const rest = [
    ...bodyArguments(document, route, named, false),
    ...query.filter(({ required }) => !required).map(queryArgument),
    ...(route.method === 'GET' ? [] : headerArguments(within('header'), named)),
  ];
  const [, name = named.as] = named.as.split('.');
  const leading = named.body?.endsWith('?') ? 1 : 0;
  return {
    name,
    doc: docOf(named.doc === undefined ? route : { ...route, summary: named.doc.replace(/\.$/, '') }, [
      ...first,
      ...rest,
    ]),
    arguments: [...first, ...rest],
    byPosition: first.length + leading,
    result: resultOf(route, named, response, isListing),
    isListing,
    call: callText(route, named, query, response, isListing),
  };
}

const pathType = (schema: Schema): string => (pythonType(schema) === 'int' ? 'int' : 'str');

function queryArgument({ name, schema, required, description }: Parameter): Argument {
  const type = pythonType(schema);
  const many = schema.type === 'array' ? `${pythonType(schema.items ?? {})} | ${type}` : type;
  const doc = description ?? schema.description;
  return {
    name: snake(name),
    type: required ? many : `${many} | None`,
    ...(!required && { default: 'None' }),
    doc,
  };
}

function headerArguments(headers: readonly Parameter[], named: Named): Argument[] {
  const has = (name: string) => headers.some((one) => one.name === name);
  const optional = (name: string): Argument => ({ name, type: 'str | None', default: 'None' });
  return [
    ...(has('If-Match') ? [optional('if_match')] : []),
    ...(has('Idempotency-Key') && named.reads === undefined ? [optional('idempotency_key')] : []),
    ...(has('Quarterjack-Note') && named.reads === undefined ? [optional('note')] : []),
  ];
}

const bodySchema = ({ requestBody }: Route): Schema =>
  Object.values(requestBody?.content ?? {})[0]?.schema ?? {};

function bodyArguments(document: Document, route: Route, named: Named, required: boolean): Argument[] {
  const schema = bodySchema(route);
  if (named.body !== undefined) {
    const isOptional = named.body.endsWith('?');
    if (isOptional === required) return [];
    const type = pythonType(schema);
    const name = named.body.replace('?', '');
    return [isOptional ? { name, type: `${type} | None`, default: 'None' } : { name, type }];
  }
  const { properties = {} } =
    schema.$ref === undefined ? schema : document.components.schemas[nameOf(schema.$ref)]!;
  return (named.fields ?? [])
    .filter((field) => field.endsWith('?') !== required)
    .map((field) => {
      const name = field.replace('?', '');
      const type = pythonType(properties[name] ?? {});
      return field.endsWith('?')
        ? { name: snake(name), type: `${type} | None`, default: 'None', doc: properties[name]?.description }
        : { name: snake(name), type };
    });
}

interface Success {
  /** The name of the model; undefined without one. */
  model?: string | undefined;
  /** The type of the items of a page. */
  items?: string;
  schema: Schema;
}

/** What the first successful response contains. */
function responseOf({ components }: Document, { responses }: Route): Success {
  const [, found] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema =
    found?.content?.['application/json']?.schema ?? Object.values(found?.content ?? {})[0]?.schema;
  if (!schema) return { schema: {} };
  const all = schema.anyOf ?? [schema];
  const read = all.map((one) => (one.$ref === undefined ? one : components.schemas[nameOf(one.$ref)]!));
  const page = read.find(({ properties }) => properties?.['items']?.items);
  const model = schema.$ref && nameOf(schema.$ref);
  if (!page) return { model, schema: read[0]! };
  const item = page.properties!['items']!.items!;
  const place = item.$ref ? `models.${nameOf(item.$ref)}` : model ? `models.${model}Items` : 'dict[str, Any]';
  return { model, items: place, schema: page };
}

function resultOf(
  { method }: Route,
  named: Named,
  { model, items, schema }: Success,
  isListing: boolean,
): string {
  if (named.returns === 'None') return 'None';
  const given = named.returns && `models.${named.returns}`;
  if (isListing) return `Listing[${given ?? items}]`;
  if (named.only !== undefined) {
    const inner = schema.properties![named.only]!.items!;
    const nullable = inner.anyOf?.some(({ type }) => type === 'null') ? ' | None' : '';
    const ref = inner.$ref ?? inner.anyOf?.find(({ $ref }) => $ref)?.$ref;
    const type =
      ref === undefined
        ? inner.type === 'string'
          ? 'str'
          : `models.${model}${pascal(named.only)}`
        : `models.${nameOf(ref)}`;
    return `list[${type}${nullable}]`;
  }
  if (method === 'DELETE' && model === undefined) return 'None';
  if (model === 'Job') return 'JobWithEtag';
  return given ?? (model === undefined ? 'dict[str, Any]' : `models.${model}`);
}

const pascal = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

function callText(
  route: Route,
  named: Named,
  query: readonly Parameter[],
  answer: Success,
  isListing: boolean,
): string {
  const path = route.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `{segment("${snake(name)}", ${snake(name)})}`,
  );
  const text = JSON.stringify(path).replaceAll('\\"', "'");
  const where = path.includes('{') ? `f${text}` : text;
  const values = [
    ...query.map(({ name }) => `"${name}": ${snake(name)}`),
    ...Object.entries(named.query ?? {}).map(([name, value]) => `"${name}": "${value}"`),
  ];
  const queryText = `{${values.join(', ')}}`;
  if (isListing) return `self._api.listing(${where}, ${queryText})`;
  const given = [
    ...(values.length > 0 ? [`query=${queryText}`] : []),
    ...bodyText(named),
    ...headerTexts(route, named),
  ];
  if (route.method === 'DELETE' && answer.model === undefined) {
    const isFinal = named.as === 'changes.delete';
    return isFinal
      ? `self._api.call("DELETE", ${[where, ...given].join(', ')})`
      : `self._api.delete(${[where, ...given].join(', ')})`;
  }
  const expected =
    named.returns === 'None' ? '' : (named.expect ?? named.only ?? answer.schema.required?.[0] ?? '');
  const all = [`"${route.method}"`, where, ...(expected === '' ? [] : [`"${expected}"`]), ...given];
  const call = `self._api.call(${all.join(', ')})`;
  return named.only === undefined ? call : `${call}["${named.only}"]`;
}

function bodyText({ body, fields, fixed }: Named): string[] {
  const constant = Object.entries(fixed ?? {}).map(([name, value]) => `"${name}": ${pythonValue(value)}`);
  if (body !== undefined) {
    const name = body.replace('?', '');
    if (constant.length > 0) return [`body={**${name}, ${constant.join(', ')}}`];
    return [`body=${body.endsWith('?') ? `${name} or {}` : name}`];
  }
  if (fields === undefined) return constant.length > 0 ? [`body={${constant.join(', ')}}`] : [];
  const given = fields.map((field) => {
    const name = field.replace('?', '');
    return `"${name}": ${snake(name)}`;
  });
  const text = `{${given.join(', ')}}`;
  return [`body=${fields.some((field) => field.endsWith('?')) ? `given(${text})` : text}`];
}

const pythonValue = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

function headerTexts({ method, parameters = [] }: Route, named: Named): string[] {
  if (method === 'GET') return [];
  const has = (name: string) => parameters.some((one) => one.in === 'header' && one.name === name);
  const keyed = has('Idempotency-Key');
  if (named.reads) return keyed && named.as !== 'jobs.dry_run_batch' ? ['key=True'] : [];
  return [
    ...(keyed ? [named.once ? 'key=idempotency_key' : 'key=idempotency_key or True'] : []),
    ...(named.once ? [keyed ? 'repeatable=idempotency_key is not None' : 'repeatable=False'] : []),
    ...(has('If-Match') ? ['if_match=if_match'] : []),
    ...(has('Quarterjack-Note') ? ['note=note'] : []),
  ];
}

/** The words of the document: what it does, and its arguments. */
function docOf({ summary, description = '' }: Route, given: readonly Argument[]): string[] {
  const paragraphs = [`${summary}.`, ...description.split(/\n{2,}/)].map(plain).filter(Boolean);
  const about = given.filter(({ doc }) => doc).map(({ name, doc }) => `${name}: ${plain(doc!)}`);
  return [...paragraphs, ...about].map((one) => one.slice(0, LONGEST_DOC));
}

const plain = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();
