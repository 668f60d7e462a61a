// The files in `actions/`, one for each service of AWS, say what its actions take. `npm run aws:actions`
// writes them.

/** How the requests of a service are written. */
export type ActionProtocol = 'json1.0' | 'json1.1' | 'rest-json' | 'query' | 'ec2';

/** A code of the SDK for a simple type, or below zero the shape at that place: -1 is the first. */
export type ShapeRef = number;
/** Traits that decide where a value goes, as the SDK writes them: bits, or names with values. */
export type Traits = number | Readonly<Record<string, unknown>>;
/** A member of a structure or list, and what it is. */
export type MemberRef = ShapeRef | readonly [ShapeRef, Traits];

export const SHAPE_KINDS = { list: 1, map: 2, structure: 3, union: 4 } as const;

/** The required members of a structure come first. */
export type Shape =
  | readonly [typeof SHAPE_KINDS.list, traits: Traits, of: MemberRef]
  | readonly [typeof SHAPE_KINDS.map, traits: Traits, key: MemberRef, value: MemberRef]
  | readonly [
      typeof SHAPE_KINDS.structure | typeof SHAPE_KINDS.union,
      traits: Traits,
      names: readonly string[],
      members: readonly MemberRef[],
      required: number,
    ];

/** Codes of simple types in the SDK. A list of them is 64 more, and a map 128 more. */
export const SIMPLE_TYPES = {
  string: 0,
  number: 1,
  boolean: 2,
  timestamps: [4, 5, 6, 7],
  document: 15,
  bigInteger: 17,
  bigDecimal: 19,
  blobs: [21, 42],
  lists: 64,
  maps: 128,
} as const;

export interface ActionSchema {
  /** The actions of IAM that a call needs. */
  needs: readonly string[];
  /** Absent: it takes no input. */
  input?: ShapeRef;
  traits?: Traits;
}

export interface ServiceActions {
  protocol: ActionProtocol;
  /** What its hosts begin with, in front of the region. */
  host: string;
  /** The service in the scope of signatures. */
  signedAs: string;
  /** What `x-amz-target` begins with. */
  target?: string;
  version?: string;
  queryCompatible?: boolean;
  actions: Readonly<Record<string, ActionSchema>>;
  shapes: readonly Shape[];
}

/** The folder of these files, beside the settings of a deployment and beside the bundles. */
export const ACTIONS_FOLDER = 'actions';
