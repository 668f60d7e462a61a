import type { ActionSchema } from './action-schemas';
import type { SessionRight } from './session-rights';
import { EVERY_PROJECT, ownEntry } from './target-resources';

/** An action of AWS that the jobs of a project may call. */
export interface AllowedAction {
  /** The service and the operation, as the files in `actions/` name them: `kinesis:PutRecord`. */
  readonly action: string;
  /** ARNs, as IAM reads them. */
  readonly resources: readonly string[];
  /** ARNs of the roles that a call may hand to the service. */
  readonly passRoles?: readonly string[] | undefined;
}
/** By project. */
export type AllowedActions = Readonly<Record<string, readonly AllowedAction[]>>;

/** What an action of a target names: `kinesis:PutRecord`. */
export const ACTION = /^([a-z0-9]{2,40}):([A-Z][A-Za-z0-9]{0,99})$/;

/** What a project may do with an action, with what all projects may; undefined: nothing. */
export function allowedFor(
  all: AllowedActions,
  project: string,
  action: string,
): Required<AllowedAction> | undefined {
  const entries = [...(ownEntry(all, project) ?? []), ...(all[EVERY_PROJECT] ?? [])].filter(
    (one) => one.action === action,
  );
  if (entries.length === 0) return undefined;
  return {
    action,
    resources: entries.flatMap(({ resources }) => resources),
    passRoles: entries.flatMap(({ passRoles = [] }) => passRoles),
  };
}

/** What IAM has to allow for a call of an action, and nothing else. */
export const rightsFor = (
  { needs }: Pick<ActionSchema, 'needs'>,
  { resources, passRoles = [] }: Pick<AllowedAction, 'resources' | 'passRoles'>,
): SessionRight[] => [
  { actions: needs, resources },
  ...(passRoles.length === 0 ? [] : [{ actions: ['iam:PassRole'], resources: passRoles }]),
];
