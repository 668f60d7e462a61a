import {
  type ActionSchema,
  type MemberRef,
  type ServiceActions,
  type Shape,
  SHAPE_KINDS,
  SIMPLE_TYPES,
  type Traits,
} from '../../contracts/action-schemas';
import { EVENT_SOURCE, isReservedSource } from '../../contracts/events';
import { suggestionFor } from '../../contracts/suggestion';
import { isRoleMember, isPolicyMember } from './powerful-members';
import { asSimple } from './simple-values';

/** Where in an input something is wrong, below `input`, and what. */
export class InputFault extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

interface Fitting {
  /** Whether templates are rendered: until then, a text with one fits any type. */
  isRendered: boolean;
  /** The roles that the call may pass on. */
  passRoles: readonly string[] | 'any';
  /** What a member gets that makes repeated calls one; absent: nothing. */
  tokenFor?: (path: string) => string;
}

/**
 * The input of an action as the SDK takes it, with dates and bytes where the schema has them. Throws
 * `InputFault` for a member that is unknown, missing or of another type, for a role that must not be passed,
 * and for a policy.
 */
export function fitInput(
  service: ServiceActions,
  { input }: ActionSchema,
  given: Readonly<Record<string, unknown>>,
  fitting: Fitting,
): Record<string, unknown> {
  const fitter = new Fitter(service, fitting);
  if (input !== undefined) return fitter.fit(input, given, '') as Record<string, unknown>;
  const [name] = Object.keys(given);
  if (name !== undefined) throw new InputFault(name, 'is not allowed: the action takes no input');
  return {};
}

class Fitter {
  constructor(
    private readonly service: ServiceActions,
    private readonly fitting: Fitting,
  ) {}

  fit(ref: MemberRef, value: unknown, path: string): unknown {
    if (typeof ref !== 'number') return this.fit(ref[0], value, path);
    if (value === null && ref !== SIMPLE_TYPES.document) throw new InputFault(path, 'must not be null');
    if (ref >= 0) return this.fitSimple(ref, value, path);
    const shape = this.service.shapes[-1 - ref]!;
    if (shape[0] === SHAPE_KINDS.list) return this.fitList(shape[2], value, path);
    if (shape[0] === SHAPE_KINDS.map) return this.fitMap(shape[3], value, path);
    return this.fitStructure(shape, value, path);
  }

  private fitSimple(type: number, value: unknown, path: string): unknown {
    if (type >= SIMPLE_TYPES.maps) return this.fitMap(type - SIMPLE_TYPES.maps, value, path);
    if (type >= SIMPLE_TYPES.lists) return this.fitList(type - SIMPLE_TYPES.lists, value, path);
    if (!this.fitting.isRendered && isTemplate(value)) return value;
    const simple = asSimple(type, value);
    if ('value' in simple) return simple.value;
    throw new InputFault(path, `must be ${simple.expected}`);
  }

  private fitList(of: MemberRef, value: unknown, path: string): unknown {
    if (!this.fitting.isRendered && isTemplate(value)) return value;
    if (!Array.isArray(value)) throw new InputFault(path, 'must be a list');
    return value.map((one, index) => this.fit(of, one, below(path, index)));
  }

  private fitMap(of: MemberRef, value: unknown, path: string): unknown {
    if (!this.fitting.isRendered && isTemplate(value)) return value;
    const entries = Object.entries(objectAt(value, path));
    return Object.fromEntries(
      entries.map(([key, one]) => [key, this.fitNamed(of, key, one, below(path, key))]),
    );
  }

  private fitStructure(shape: Shape & { 2: readonly string[] }, value: unknown, path: string): unknown {
    if (!this.fitting.isRendered && isTemplate(value)) return value;
    const [kind, , names, members, required] = shape as Extract<Shape, { length: 5 }>;
    const given = Object.entries(objectAt(value, path));
    const fitted: Record<string, unknown> = {};
    for (const [written, one] of given) {
      const at = below(path, written);
      const index = memberIn(names, written);
      const name = names[index];
      if (name === undefined)
        throw new InputFault(at, `is not known to the action${suggestionFor(written, names)}`);
      if (name in fitted) throw new InputFault(at, 'is given twice: the case of letters makes no other member');
      fitted[name] = this.fitNamed(members[index]!, name, one, at);
    }
    if (kind === SHAPE_KINDS.union && given.length !== 1)
      throw new InputFault(path, `must have exactly one of ${names.join(', ')}`);
    this.addTokens(names, members, fitted, path);
    for (const name of names.slice(0, required))
      if (!(name in fitted)) throw new InputFault(below(path, name), 'is missing');
    return fitted;
  }

  /** Without a token, the service or its protocol would take a new one for each attempt. */
  private addTokens(
    names: readonly string[],
    members: readonly MemberRef[],
    fitted: Record<string, unknown>,
    path: string,
  ): void {
    const { tokenFor = () => 'token' } = this.fitting;
    names.forEach((name, index) => {
      if (!(name in fitted) && isToken(members[index]!)) fitted[name] = tokenFor(below(path, name));
    });
  }

  private fitNamed(of: MemberRef, name: string, value: unknown, path: string): unknown {
    if (isPolicyMember(name, value))
      throw new InputFault(path, 'is not allowed: a job must not give rights to anyone');
    if (name === SOURCE && typeof value === 'string' && isReservedSource(value))
      throw new InputFault(path, `must not be "${EVENT_SOURCE}" or begin with "${EVENT_SOURCE}." or "aws."`);
    if (isRoleMember(name)) this.checkRoles(value, path);
    return this.fit(of, value, path);
  }

  private checkRoles(value: unknown, path: string): void {
    const { passRoles, isRendered } = this.fitting;
    if (passRoles === 'any') return;
    for (const role of textsIn(value))
      if (!passRoles.includes(role) && (isRendered || !isTemplate(role)))
        throw new InputFault(
          path,
          `${JSON.stringify(role)} must not be passed on: the operator of this deployment can add it to passRoles`,
        );
  }
}

/** EventBridge Scheduler writes all members with a capital, so the case of letters does not count. */
function memberIn(names: readonly string[], written: string): number {
  const exact = names.indexOf(written);
  if (exact >= 0) return exact;
  const lower = written.toLowerCase();
  return names.findIndex((name) => name.toLowerCase() === lower);
}

/** What receivers of events trust: see `isReservedSource`. */
const SOURCE = 'Source';

const TOKEN_BIT = 4;
const isToken = (ref: MemberRef): boolean => typeof ref !== 'number' && hasToken(ref[1]);
const hasToken = (traits: Traits): boolean =>
  typeof traits === 'number' ? (traits & TOKEN_BIT) !== 0 : traits.idempotencyToken !== undefined;

const isTemplate = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');

const below = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}.${name}`;

function objectAt(value: unknown, path: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new InputFault(path, 'must be an object');
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
