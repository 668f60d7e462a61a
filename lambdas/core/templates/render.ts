import type { Zone } from '../schedule/zone';
import type { Filter, FilterContext } from './filters/filter';
import { isObject } from './filters/filter';
import { argumentsOf, FILTERS } from './filters/filters';
import { textOf } from './filters/text';
import { hasBraces, parseTemplate } from './parse';
import type { Argument, Expression, FilterCall, Json, Part, Path } from './syntax';
import { MAX_RESULT_BYTES } from './syntax';
import { shown, TemplateError, within } from './template-error';

/** The values that paths are read from. */
export interface Values {
  roots: { readonly [name: string]: Json };
  /** The zone of calendar filters that name none. */
  zone: Zone;
}

/** What may stand in a text, and how. */
export interface TextOptions {
  /** The secrets that may be put in, by name. Absent: no secret may. */
  secrets?: ReadonlyMap<string, string>;
  /** Applied to each value that is put in, secrets included. Absent: values stay as they are. */
  encode?(value: string): string;
}

/** Bytes of all values that the expressions of one renderer may make. */
const MAX_WORK_BYTES = 4_194_304;

/**
 * Renders templates over the same values. Deterministic: equal texts and values give equal results. The work
 * of one renderer is bounded: each value by 64 KB, and all of them together by 4 MB.
 */
export class Renderer {
  private workBytes = 0;

  constructor(private readonly values: Values) {}

  /**
   * Each text of a JSON value rendered; keys stay. A text that is one expression and nothing else becomes the
   * value of that expression, of any type. Throws `TemplateError`.
   */
  json(value: Json): Json {
    if (typeof value === 'string') return this.value(value);
    if (Array.isArray(value)) return value.map((item: Json) => this.json(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.json(item)]));
  }

  /** The text with the values of its expressions put in. Throws `TemplateError`. */
  text(template: string | readonly Part[], options: TextOptions = {}): string {
    const parts = typeof template === 'string' ? parseTemplate(template) : template;
    const rendered = parts.map((part) => this.partText(part, options)).join('');
    if (Buffer.byteLength(rendered) <= MAX_RESULT_BYTES) return rendered;
    throw new TemplateError(`the text renders to more than ${MAX_RESULT_BYTES} bytes`);
  }

  /** A text as `json` renders it. Undefined if it is one expression that has no value. */
  optional(text: string): Json | undefined {
    const parts = hasBraces(text) ? parseTemplate(text) : [text];
    const only = aloneIn(parts);
    return only ? this.evaluate(only, () => undefined) : this.text(parts);
  }

  private value(text: string): Json {
    if (!hasBraces(text)) return text;
    const parts = parseTemplate(text);
    const only = aloneIn(parts);
    return only ? this.evaluate(only) : this.text(parts);
  }

  private partText(part: Part, { secrets, encode = (value) => value }: TextOptions): string {
    if (typeof part === 'string') return part;
    if (part.kind === 'expression') return encode(textOf(this.evaluate(part)));
    return within(part.text, () => {
      if (!secrets) throw new TemplateError('no secret may stand here');
      const secret = secrets.get(part.name);
      if (secret === undefined) throw new TemplateError(`there is no secret ${shown(part.name)}`);
      return encode(secret);
    });
  }

  private evaluate(expression: Expression): Json;
  private evaluate(expression: Expression, ifMissing: () => undefined): Json | undefined;
  private evaluate(
    { text, path, filters }: Expression,
    ifMissing: (path: Path, after?: FilterCall) => undefined = missing,
  ): Json | undefined {
    return within(text, () => {
      let value = this.read(path);
      this.charge(value);
      for (const [index, call] of filters.entries()) {
        const filter = filterFor(call);
        if (value === undefined && !filter.takesMissing) return ifMissing(path, filters[index - 1]);
        value = this.apply(filter, call, value);
        this.charge(value);
      }
      return value === undefined ? ifMissing(path, filters.at(-1)) : value;
    });
  }

  private read({ root, steps }: Path): Json | undefined {
    let value: Json | undefined = ownProperty(this.values.roots, root);
    for (const step of steps)
      value =
        typeof step === 'string'
          ? ownProperty(value, step)
          : Array.isArray(value)
            ? value.at(step)
            : undefined;
    return value;
  }

  private apply(filter: Filter, { name, args }: FilterCall, value: Json | undefined): Json | undefined {
    const context: FilterContext = { zone: this.values.zone };
    try {
      const read = filter.parameters.map((parameter, index) => {
        const arg = args[index];
        return arg ? parameter.read(this.argument(arg)) : parameter.absent!(context);
      });
      return filter.apply(value, read, context);
    } catch (error) {
      throw error instanceof TemplateError ? new TemplateError(`${name}: ${error.message}`) : error;
    }
  }

  private argument(arg: Argument): Json {
    if (arg.kind === 'literal') return arg.value;
    const value = this.read(arg);
    return value === undefined ? missing(arg) : value;
  }

  private charge(value: Json | undefined): void {
    const bytes = sizeOf(value);
    if (bytes > MAX_RESULT_BYTES)
      throw new TemplateError(`makes a value of ${bytes} bytes; at most ${MAX_RESULT_BYTES} are allowed`);
    this.workBytes += bytes;
    if (this.workBytes > MAX_WORK_BYTES)
      throw new TemplateError(`all values together have more than ${MAX_WORK_BYTES} bytes`);
  }
}

/** The expression that a template is, if it is nothing else. */
function aloneIn(parts: readonly Part[]): Expression | undefined {
  const [only] = parts;
  const isAlone = parts.length === 1 && typeof only === 'object' && only.kind === 'expression';
  return isAlone ? only : undefined;
}

const ownProperty = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Bytes as text or JSON. */
function sizeOf(value: Json | undefined): number {
  if (value === undefined) return 0;
  return Buffer.byteLength(textOf(value));
}

/** A stored template was checked when it was saved; the filters may have changed since. */
function filterFor({ name, args }: FilterCall): Filter {
  const filter = FILTERS.get(name);
  if (!filter) throw new TemplateError(`there is no filter ${shown(name)}`);
  const { least, most } = argumentsOf(filter);
  if (args.length >= least && args.length <= most) return filter;
  throw new TemplateError(`${name} cannot take ${args.length} arguments`);
}

/** @param after the filter that left no value; absent: the path has none */
function missing({ root, steps }: Path, after?: FilterCall): never {
  const what = after ? `the filter ${after.name} leaves` : `${[root, ...steps].join('.')} has`;
  throw new TemplateError(`${what} no value; the filter default would replace it`);
}
