import type * as z from 'zod/mini';

import { isSame } from '../same';

type Schema = z.core.$ZodType;
/** The parts of a definition of a schema that are read here. zod gives each kind of schema its own. */
interface Def {
  type: string;
  shape?: Record<string, Schema>;
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  options?: readonly Schema[];
  element?: Schema;
  valueType?: Schema;
  entries?: Record<string, string>;
  values?: readonly unknown[];
  defaultValue?: unknown;
  discriminator?: string;
}

const defOf = (schema: Schema): Def => schema._zod.def as unknown as Def;

/** How the features below a path are named. */
export interface Folds {
  /** Nothing below these paths counts by itself. */
  leaves: readonly string[];
  /** What stands at these paths is named as if it stood at another one. */
  names: Readonly<Record<string, string>>;
  /** What stands at these paths, with all below, counts as another feature. */
  as: ReadonlyMap<string, string>;
  /** Members of unions that count as another one. */
  members: Readonly<Record<string, string>>;
}

export const AS_THEY_ARE: Folds = { leaves: [], names: {}, as: new Map(), members: {} };

/** Where a walk stands. A field that must be given says nothing by being there. */
interface Spot {
  path: string;
  isRequired: boolean;
  /** Nothing is said by a value that is the default. */
  byDefault?: unknown;
}

const WRAPPERS = ['optional', 'nullable', 'readonly', 'nonoptional'];
/** Names of the kinds of values where a union has several. */
const KINDS: Readonly<Record<string, string>> = { array: 'list', int: 'number' };

/**
 * The features that a schema allows, or that one value of it has. These are each optional field, each listed
 * value that is not the default, and each member of a union. `some` is a value; absent: all that may be.
 */
export function featuresOf(schema: Schema, folds: Folds, some?: Some): Set<string> {
  const walk = new Walk(folds);
  walk.visit(schema, { path: '', isRequired: true }, some);
  return walk.found;
}

/** One value. Absent: whatever the schema allows. */
interface Some {
  value: unknown;
}

class Walk {
  readonly found = new Set<string>();

  constructor(private readonly folds: Folds) {}

  visit(schema: Schema, spot: Spot, some: Some | undefined): void {
    if (some && (some.value === undefined || some.value === null)) return;
    const def = defOf(schema);
    const { path } = spot;
    const other = this.folds.as.get(path);
    if (other !== undefined) return void this.found.add(other);
    if (WRAPPERS.includes(def.type)) return this.visit(def.innerType!, { path, isRequired: false }, some);
    if (def.type === 'default' || def.type === 'prefault') return this.visitDefault(def, spot, some);
    if (def.type === 'pipe') return this.visit(inputOf(def), spot, some);
    if (this.folds.leaves.includes(path)) return this.add(spot);
    if (def.type === 'union') return this.visitUnion(def, spot, some);
    if (def.type === 'enum') return this.addValues(def, spot, some);
    if (def.type === 'array') return this.visitElements(def, spot, some);
    if (def.type === 'object') return this.visitObject(def, spot, some);
    if (def.type === 'record' && isOfObjects(def)) return this.visitRecord(def, spot, some);
    this.add(spot);
  }

  private add({ path, isRequired }: Spot): void {
    if (!isRequired && path !== '') this.found.add(path);
  }

  private addValues({ entries }: Def, { path, byDefault }: Spot, some?: Some): void {
    for (const value of Object.values(entries!))
      if (value !== byDefault && (!some || some.value === value)) this.found.add(`${path}=${value}`);
  }

  private visitDefault({ innerType, defaultValue: byDefault }: Def, { path }: Spot, some?: Some): void {
    if (some && isSame(some.value, byDefault)) return;
    // An object of defaults is always there. Only its fields say something.
    const isRequired = kindOf(innerType!) === 'object';
    this.visit(innerType!, { path, isRequired, byDefault }, some);
  }

  private visitObject({ shape }: Def, spot: Spot, some: Some | undefined): void {
    const { path } = spot;
    this.add(spot);
    for (const [name, field] of Object.entries(shape!)) {
      if (defOf(field).type === 'literal') continue; // it names the member of a union
      const at = path === '' ? name : `${path}.${name}`;
      const own = some && { value: (some.value as Record<string, unknown>)[name] };
      if (own && own.value === undefined) continue;
      const renamed = this.folds.names[at];
      if (renamed !== undefined) this.found.add(at);
      this.visit(field, { path: renamed ?? at, isRequired: true }, own);
    }
  }

  private visitRecord({ valueType }: Def, { path }: Spot, some: Some | undefined): void {
    if (!some) return this.visit(valueType!, { path, isRequired: true }, undefined);
    for (const value of Object.values(some.value as object))
      this.visit(valueType!, { path, isRequired: true }, { value });
  }

  private visitElements({ element }: Def, spot: Spot, some: Some | undefined): void {
    const { path } = spot;
    const kind = kindOf(element!);
    if (kind !== 'object' && kind !== 'union' && kind !== 'enum') return this.add(spot);
    if (kind === 'object' && (!some || (some.value as []).length > 0)) this.add(spot);
    if (!some) return this.visit(element!, { path, isRequired: true }, undefined);
    for (const value of some.value as readonly unknown[])
      this.visit(element!, { path, isRequired: true }, { value });
  }

  private visitUnion({ options, discriminator }: Def, spot: Spot, some: Some | undefined): void {
    const { path } = spot;
    for (const option of options!) {
      const kind = kindOf(option);
      const name = discriminator === undefined ? undefined : literalOf(option, discriminator);
      if (some && !fits(some.value, kind, name, discriminator)) continue;
      if (kind === 'object') {
        const member = name ?? kind;
        this.found.add(`${path}=${this.folds.members[member] ?? member}`);
        this.visit(option, { path, isRequired: true }, some);
      } else if (kind === 'union' || kind === 'enum') this.visit(option, spot, some);
      else this.found.add(`${path}=${KINDS[kind] ?? kind}`);
    }
  }
}

/** What a user gives. A check that takes anything stands before the schema that it guards. */
function inputOf({ in: first, out }: Def): Schema {
  const { type } = defOf(first!);
  return type === 'unknown' || type === 'transform' ? out! : first!;
}

const isOfObjects = ({ valueType }: Def): boolean => kindOf(valueType!) === 'object';

/** The kind of a schema below what wraps it. */
function kindOf(schema: Schema): string {
  const def = defOf(schema);
  if (def.type === 'pipe') return kindOf(inputOf(def));
  return def.innerType ? kindOf(def.innerType) : def.type;
}

function literalOf(option: Schema, discriminator: string): string {
  const def = defOf(option);
  const object = def.type === 'pipe' ? defOf(inputOf(def)) : def;
  return defOf(object.shape![discriminator]!).values![0] as string;
}

function fits(
  value: unknown,
  kind: string,
  name: string | undefined,
  discriminator: string | undefined,
): boolean {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'object')
    return isObject && (name === undefined || (value as Record<string, unknown>)[discriminator!] === name);
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'union') return true;
  if (kind === 'enum') return typeof value === 'string';
  return typeof value === (kind === 'int' ? 'number' : kind);
}
