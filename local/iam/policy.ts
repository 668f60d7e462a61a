import * as z from 'zod';

import { LocalRunError } from '../run/errors';
import { type Condition, readCondition } from './conditions';

/**
 * A policy statement with the elements that the local run evaluates. Reading any other element is an error.
 */
export interface Statement {
  /** Logical id of the resource that contains it. */
  from: string;
  effect: 'Allow' | 'Deny';
  /** Such as `dynamodb:GetItem`; may contain wildcards. */
  actions: string[];
  /**
   * ARNs; may contain wildcards. A trust policy, or a function's permission, has the ARN of its own resource.
   */
  resources: string[];
  /** ARNs that it is not about, whatever `resources` says. */
  exceptResources?: string[];
  /** The `Principal` element of a resource policy; absent in a policy of a role. */
  principals: Principals | undefined;
  condition: Condition;
}

type Principals = { everyone: true } | { everyone: false; services: string[]; arns: string[] };

const oneOrMore = z.union([z.string(), z.array(z.string()).min(1)]).transform((value) => [value].flat());

const Conditions = z.record(
  z.string(),
  z.record(z.string(), z.union([oneOrMore, z.boolean().transform((value) => [String(value)])])),
);

const PrincipalElement = z.union([
  z.literal('*'),
  z.strictObject({ AWS: oneOrMore.optional(), Service: oneOrMore.optional() }),
]);

const StatementElement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore.optional(),
  NotResource: oneOrMore.optional(),
  Principal: PrincipalElement.optional(),
  Condition: Conditions.default({}),
});
type StatementElement = z.output<typeof StatementElement>;

/** A policy document without intrinsics. `NotAction` and `NotPrincipal` are not supported. */
export const PolicyDocument = z.strictObject({
  Version: z.literal('2012-10-17'),
  Id: z.string().optional(),
  Statement: z
    .union([StatementElement, z.array(StatementElement)])
    .transform((value): StatementElement[] => [value].flat()),
});
export type PolicyDocument = z.output<typeof PolicyDocument>;

/** Reads a policy that is attached to a role. Throws a `LocalRunError` for what cannot be evaluated. */
export const rolePolicy = (document: PolicyDocument, from: string): Statement[] =>
  document.Statement.map((element) => {
    const { Principal, Resource, NotResource } = element;
    if (Principal !== undefined || (Resource === undefined) === (NotResource === undefined))
      throw new LocalRunError(
        `${from}: a statement of a role's policy must have a Resource and no Principal`,
      );
    if (NotResource === undefined) return statement(element, Resource!, from);
    return { ...statement(element, ['*'], from), exceptResources: NotResource };
  });

/**
 * Reads a policy that is attached to a resource. A statement without `Resource` applies to that resource.
 * Throws a `LocalRunError` for what cannot be evaluated.
 */
export const resourcePolicy = (document: PolicyDocument, resource: string, from: string): Statement[] =>
  document.Statement.map((element) => {
    if (element.Principal === undefined || element.NotResource !== undefined)
      throw new LocalRunError(
        `${from}: a statement of a resource's policy must have a Principal and no NotResource`,
      );
    return statement(element, element.Resource ?? [resource], from);
  });

function statement(element: StatementElement, resources: string[], from: string): Statement {
  const { Effect: effect, Action: actions, Principal: principal, Condition: conditions } = element;
  const variable = [resources, Object.values(conditions).flatMap((keys) => Object.values(keys).flat())]
    .flat()
    .find((text) => text.includes('${'));
  if (variable !== undefined)
    throw new LocalRunError(`${from}: the local run does not support policy variables, as in ${variable}`);
  return {
    from,
    effect,
    actions,
    resources,
    principals: principal === undefined ? undefined : readPrincipals(principal, from),
    condition: readCondition(conditions, from),
  };
}

function readPrincipals(element: z.output<typeof PrincipalElement>, from: string): Principals {
  if (element === '*' || element.AWS?.includes('*')) return { everyone: true };
  const { AWS: arns = [], Service: services = [] } = element;
  const unsupported = arns.find((arn) => !/^arn:aws:iam::\d{12}:role\//.test(arn));
  if (unsupported !== undefined)
    throw new LocalRunError(`${from}: the local run supports only roles as principals, not ${unsupported}`);
  return { everyone: false, services, arns };
}
