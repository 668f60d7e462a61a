import {
  type ActionProtocol,
  type ActionSchema,
  type MemberRef,
  type ServiceActions,
  type Shape,
  SHAPE_KINDS,
  SIMPLE_TYPES,
  type Traits,
} from '../../lambdas/core/contracts/action-schemas';
import { isPolicyMember } from '../../lambdas/core/delivery/actions/powerful-members';
import type { Schema } from './read-client';

/** A schema of the SDK: kind, namespace, name, traits, and what its kind has. */
type Static = readonly [kind: number, namespace: string, name: string, traits: Traits, ...rest: unknown[]];

/** Bits of traits that only say how answers and logs are treated: idempotent, sensitive, and the status. */
const IRRELEVANT_BITS = 2 | 8 | 32;
const KEPT_TRAITS: Readonly<Record<'always' | ActionProtocol, RegExp>> = {
  always:
    /^(?:idempotencyToken|endpoint|hostLabel|sparse|mediaType|requiresLength|streaming|timestampFormat)$/,
  'json1.0': /^jsonName$/,
  'json1.1': /^jsonName$/,
  'rest-json': /^(?:jsonName|http.*)$/,
  query: /^xml.*$/,
  ec2: /^(?:xml.*|ec2QueryName)$/,
};
const BIT_NAMES = [
  'httpLabel',
  'idempotent',
  'idempotencyToken',
  'sensitive',
  'httpPayload',
  'httpResponseCode',
  'httpQueryParams',
];

/** Writes the inputs of operations as shapes, each once. */
export class Compactor {
  readonly shapes: Shape[] = [];
  private readonly places = new Map<unknown, number>();

  constructor(
    private readonly protocol: ActionProtocol,
    private readonly without: readonly string[] = [],
  ) {}

  action([, , , traits, input]: readonly unknown[], needs: readonly string[]): ActionSchema {
    const ref = this.refOf(input as Schema);
    const kept = this.traitsOf(traits as Traits);
    if (Array.isArray(ref)) throw new Error('the input of an operation has traits of a member');
    return {
      needs,
      ...(ref !== undefined && { input: ref as number }),
      ...(kept !== 0 && { traits: kept }),
    };
  }

  /** Undefined for what has no members. */
  private refOf(given: Schema): MemberRef | undefined {
    const schema = dereferenced(given);
    if (schema === 'unit') return undefined;
    if (typeof schema === 'number') return schema;
    if (!Array.isArray(schema)) throw new Error(`no schema: ${String(schema)}`);
    if (schema.length === 2) return this.member(schema[0] as Schema, this.traitsOf(schema[1] as Traits));
    const [kind, , , traits, ...rest] = schema as unknown as Static;
    if (kind === 0) return this.member(rest[0] as Schema, this.traitsOf(traits));
    return -1 - this.placeOf(schema as unknown as Static);
  }

  private member(of: Schema, traits: Traits): MemberRef {
    const ref = this.refOf(of);
    if (ref === undefined) return -1 - this.placeOf([SHAPE_KINDS.structure, '', '', 0, [], []]);
    const [inner, own] = Array.isArray(ref) ? (ref as [number, Traits]) : [ref as number, 0];
    const both = merged(own, traits);
    return both === 0 ? inner : [inner, both];
  }

  /** The place of a shape. It is taken before its members are read, which may lead back to it. */
  private placeOf(schema: Static): number {
    const known = this.places.get(schema);
    if (known !== undefined) return known;
    const place = this.shapes.length;
    this.places.set(schema, place);
    this.shapes.push(undefined as never);
    const shape = this.shapeOf(schema);
    this.shapes[place] = shape;
    return place;
  }

  private shapeOf([kind, , , given, ...rest]: Static): Shape {
    const traits = this.traitsOf(given);
    const { list, map, structure, union } = SHAPE_KINDS;
    if (kind === list) return [list, traits, this.needed(rest[0])];
    if (kind === map) return [map, traits, this.needed(rest[0] ?? 0), this.needed(rest[1])];
    const [names, members, required = 0] = rest as [string[], Schema[], number?];
    const isLeftOut = (name: string, index: number): boolean =>
      this.without.includes(name) ||
      (isPolicyMember(name, '') && this.needed(members[index]) === SIMPLE_TYPES.string);
    if (names.some((name, index) => index < required && isLeftOut(name, index)))
      throw new Error('what it needs is a policy');
    const kept = names.flatMap((name, index) => (isLeftOut(name, index) ? [] : [index]));
    return [
      kind === union ? union : structure,
      traits,
      kept.map((index) => names[index]!),
      kept.map((index) => this.needed(members[index])),
      required,
    ];
  }

  private needed(schema: unknown): MemberRef {
    return this.refOf(schema as Schema) ?? this.member('unit', 0);
  }

  private traitsOf(given: Traits = 0): Traits {
    if (typeof given === 'number') return given & ~IRRELEVANT_BITS;
    const kept = Object.entries(given).filter(
      ([name]) => KEPT_TRAITS.always.test(name) || KEPT_TRAITS[this.protocol].test(name),
    );
    return kept.length === 0 ? 0 : Object.fromEntries(kept);
  }
}

const dereferenced = (given: Schema): Exclude<Schema, () => Schema> => {
  let schema = given;
  while (typeof schema === 'function') schema = schema();
  return schema;
};

const named = (traits: Traits): Readonly<Record<string, unknown>> =>
  typeof traits === 'object'
    ? traits
    : Object.fromEntries(BIT_NAMES.filter((_, bit) => (traits >> bit) & 1).map((name) => [name, 1]));

const merged = (one: Traits, other: Traits): Traits => {
  if (one === 0) return other;
  return other === 0 ? one : { ...named(one), ...named(other) };
};

/** Actions whose equal shapes are one. In some services, most shapes equal another one. */
export function withoutTwins({ actions, shapes }: Pick<ServiceActions, 'actions' | 'shapes'>) {
  let [changed, now] = [true, { actions, shapes: [...shapes] as Shape[] }];
  while (changed) {
    const places = new Map<string, number>();
    const kept: Shape[] = [];
    const to = now.shapes.map((shape) => {
      const text = JSON.stringify(shape);
      if (!places.has(text)) {
        places.set(text, kept.length);
        kept.push(shape);
      }
      return places.get(text)!;
    });
    changed = kept.length < now.shapes.length;
    const ref = (one: number): number => (one < 0 ? -1 - to[-1 - one]! : one);
    const member = (one: MemberRef): MemberRef =>
      typeof one === 'number' ? ref(one) : [ref(one[0]), one[1]];
    now = {
      actions: Object.fromEntries(
        Object.entries(now.actions).map(([name, action]) => [
          name,
          { ...action, ...(action.input !== undefined && { input: ref(action.input) }) },
        ]),
      ),
      shapes: kept.map((shape): Shape => {
        if (shape[0] === SHAPE_KINDS.list) return [shape[0], shape[1], member(shape[2])];
        if (shape[0] === SHAPE_KINDS.map) return [shape[0], shape[1], member(shape[2]), member(shape[3])];
        return [shape[0], shape[1], shape[2], shape[3].map(member), shape[4]];
      }),
    };
  }
  return now;
}

/** Whether a value somewhere in an input is a stream of events, which no schedule can send. */
export const hasStream = (shapes: readonly Shape[]): boolean =>
  shapes.some(
    (shape) =>
      (shape[0] === SHAPE_KINDS.structure || shape[0] === SHAPE_KINDS.union) &&
      shape[3].some(
        (one) =>
          Array.isArray(one) &&
          typeof one[1] === 'object' &&
          'streaming' in one[1] &&
          (one[0] as number) < SIMPLE_TYPES.string,
      ),
  );
