import * as z from 'zod';

import { LocalRunError } from '../run/errors';
import { type Condition, readCondition } from './conditions';

/** One statement of a policy, as far as the local run evaluates it: anything else is an error when it is read. */
export interface Statement {
  /** Logical id of the resource that holds it. */
  from: string;
  effect: 'Allow' | 'Deny';
  /** `dynamodb:GetItem`; with wildcards. */
  actions: string[];
  /** ARNs with wildcards. Of a trust policy, and of a function's permission: the one that it is attached to. */
  resources: string[];
  /** Whom a policy of a resource speaks of; absent in a policy of a role. */
  principal: Principal | undefined;
  holds: Condition;
}

export type Principal = { everyone: true } | { everyone: false; services: string[]; arns: string[] };

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
  Principal: PrincipalElement.optional(),
  Condition: Conditions.default({}),
});
type StatementElement = z.output<typeof StatementElement>;

/** A policy document without intrinsics. `NotAction`, `NotResource` and `NotPrincipal` are not known. */
export const PolicyDocument = z.strictObject({
  Version: z.literal('2012-10-17'),
  Id: z.string().optional(),
  Statement: z
    .union([StatementElement, z.array(StatementElement)])
    .transform((value): StatementElement[] => [value].flat()),
});
export type PolicyDocument = z.output<typeof PolicyDocument>;

/** Statements of a policy that is attached to a role. */
export const rolePolicy = (document: PolicyDocument, from: string): Statement[] =>
  document.Statement.map((element) => {
    if (element.Principal !== undefined || !element.Resource)
      throw new LocalRunError(`${from}: a statement of a role's policy takes a Resource and no Principal`);
    return statement(element, element.Resource, from);
  });

/** Statements of a policy that is attached to a resource. Without `Resource` they are about that resource itself. */
export const resourcePolicy = (document: PolicyDocument, resource: string, from: string): Statement[] =>
  document.Statement.map((element) => {
    if (element.Principal === undefined)
      throw new LocalRunError(`${from}: a statement of a resource's policy takes a Principal`);
    return statement(element, element.Resource ?? [resource], from);
  });

function statement(element: StatementElement, resources: string[], from: string): Statement {
  const { Effect: effect, Action: actions, Principal: principal, Condition: conditions } = element;
  const variable = [resources, Object.values(conditions).flatMap((keys) => Object.values(keys).flat())]
    .flat()
    .find((text) => text.includes('${'));
  if (variable !== undefined)
    throw new LocalRunError(`${from}: the local run does not know policy variables, as in ${variable}`);
  return {
    from,
    effect,
    actions,
    resources,
    principal: principal === undefined ? undefined : readPrincipal(principal, from),
    holds: readCondition(conditions, from),
  };
}

function readPrincipal(element: z.output<typeof PrincipalElement>, from: string): Principal {
  if (element === '*' || element.AWS?.includes('*')) return { everyone: true };
  const { AWS: arns = [], Service: services = [] } = element;
  const strange = arns.find((arn) => !/^arn:aws:iam::\d{12}:role\//.test(arn));
  if (strange !== undefined)
    throw new LocalRunError(`${from}: the local run knows roles as principals, and not ${strange}`);
  return { everyone: false, services, arns };
}
