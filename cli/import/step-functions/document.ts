import { isObject } from '../../is-object';
import { type Json, textOf, Unmapped } from './machine';

/** Where the input of a state comes from: an expression, and expressions of fields that were added to it. */
export interface Document {
  /** Undefined: it depends on the way that led to the state, so nothing of it can be named. */
  base: string | undefined;
  fields: ReadonlyMap<string, string>;
}

export const documentOf = (base: string | undefined): Document => ({ base, fields: new Map() });

/** What follows on states with these outputs. */
export const merged = (documents: readonly Document[]): Document => {
  const [first, ...others] = documents;
  const textOfDocument = ({ base, fields }: Document) => JSON.stringify([base, [...fields]]);
  const isSame = first && others.every((one) => textOfDocument(one) === textOfDocument(first));
  return isSame ? first : documentOf(undefined);
};

const FIELD = /^\$\.([A-Za-z_]\w*)(.*)$/;
const CONTEXT: Readonly<Record<string, string>> = {
  '$$.Execution.Id': 'run.id',
  '$$.Execution.Name': 'run.id',
  '$$.Execution.StartTime': 'run.startedAt',
};

/** A JSONPath as an expression of a template. Throws `Unmapped`. */
export function expressionOf(path: string, document: Document): string {
  if (path.startsWith('$$')) {
    const known = CONTEXT[path];
    if (known !== undefined) return known;
    throw new Unmapped(`${path} has no counterpart`);
  }
  if (path.startsWith('States.')) throw new Unmapped(`the intrinsic function ${path} is not translated`);
  if (!/^\$(?:\.[A-Za-z_]\w*|\[-?\d+\])*$/.test(path))
    throw new Unmapped(`the path ${path} is not translated`);
  if (document.base === undefined)
    throw new Unmapped(`${path} depends on the way that led here: name the task whose output it is`);
  const [, field, rest = ''] = FIELD.exec(path) ?? [];
  const added = field === undefined ? undefined : document.fields.get(field);
  if (added !== undefined) return added + rest;
  if (path === '$' && document.fields.size > 0)
    throw new Unmapped('the whole input is made of several outputs');
  return document.base + path.slice(1);
}

/** A payload template with its paths as templates. */
export function payloadOf(value: unknown, document: Document): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '{{{{');
  if (Array.isArray(value)) return value.map((item) => payloadOf(item, document));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) =>
    key.endsWith('.$') && typeof inner === 'string'
      ? [key.slice(0, -2), `{{ ${expressionOf(inner, document)} }}`]
      : [key, payloadOf(inner, document)],
  );
  return Object.fromEntries(entries) as Json;
}

/** The output of a state that has made `result`. Throws `Unmapped`. */
export function outputOf(json: Json, input: Document, result: string): Document {
  if (json.ResultSelector !== undefined) throw new Unmapped('ResultSelector is not translated');
  const output = textOf(json, 'OutputPath');
  // What a function returns is the output of its task, without the metadata of the call.
  const isPayload = output === '$.Payload';
  if (output !== undefined && output !== '$' && !isPayload)
    throw new Unmapped('OutputPath is not translated');
  if (json.ResultPath === null) return input;
  const path = textOf(json, 'ResultPath') ?? '$';
  if (path === '$') return documentOf(result);
  const [, field, rest] = FIELD.exec(path) ?? [];
  if (field === undefined || rest !== '') throw new Unmapped(`the ResultPath ${path} is not translated`);
  return { base: input.base, fields: new Map([...input.fields, [field, result]]) };
}
