import { type Json, Unmapped } from '../json';
import type { Scope } from './scope';
import { EMPTY, renderedOf, type Value } from './value';

/** The arguments of a service, of which each may be fixed or a path. */
export class Arguments {
  constructor(
    private readonly given: Json,
    private readonly effective: Value,
    private readonly scope: Scope,
  ) {}

  /** Undefined: it is absent. */
  value(name: string): Value | undefined {
    return this.all((key) => key === name).get(name);
  }

  /** Those whose names fit. */
  all(fits: (name: string) => boolean = () => true): ReadonlyMap<string, Value> {
    const part = Object.fromEntries(
      Object.entries(this.given).filter(([key]) => fits(key.replace(/\.\$$/, ''))),
    );
    const template = this.scope.template(part, this.effective);
    return template.kind === 'object' ? template.fields : new Map();
  }

  needed(name: string): Value {
    const value = this.value(name);
    if (value) return value;
    throw new Unmapped(`it has no ${name}`);
  }

  /** A text that the definition gives: a target takes no templates for it. */
  fixed(name: string): string {
    const value = this.needed(name);
    if (value.kind === 'json' && typeof value.json === 'string') return value.json;
    throw new Unmapped(`${name} is no fixed text, and a target has no templates for it`);
  }

  /** An argument that may have one value alone. */
  only(name: string, ...allowed: string[]): void {
    if (this.value(name) === undefined || allowed.includes(this.fixed(name))) return;
    throw new Unmapped(`${name} ${this.fixed(name)} has no counterpart`);
  }

  /** A message: a text would be sent in quotes, as JSON. */
  message(name: string): unknown {
    const value = this.needed(name);
    const isJson =
      value.kind === 'object' || value.kind === 'list' || (value.kind === 'path' && value.isObject === true);
    if (isJson) return renderedOf(value);
    throw new Unmapped(`${name} may be a text, and what is sent here is JSON: give it an object`);
  }

  /** Texts by their names, or lists of them, as parts of templates. */
  texts(name: string): [name: string, text: string][] {
    const value = this.value(name) ?? EMPTY;
    if (value.kind !== 'object' || value.rest) throw new Unmapped(`${name} is not an object of texts`);
    return [...value.fields].flatMap(([key, inner]) => {
      const all = inner.kind === 'list' ? inner.items : [inner];
      return all.map((one): [string, string] => {
        const rendered = renderedOf(one);
        if (['string', 'number', 'boolean'].includes(typeof rendered))
          return [key, String(rendered as string | number | boolean)];
        throw new Unmapped(`${name}.${key} is no text`);
      });
    });
  }
}
