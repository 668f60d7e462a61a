import * as z from 'zod';

import { knownServices, needsOfAction, operationsOf } from '../../lambdas/core/contracts/action-names';
import {
  type AllowedActions as ActionsByProject,
  allowedFor,
  rightsFor,
} from '../../lambdas/core/contracts/allowed-actions';
import { SESSION_POLICY_CHARACTERS, sessionPolicyOf } from '../../lambdas/core/contracts/session-rights';
import { didYouMean } from '../../lambdas/core/contracts/suggestion';
import { EVERY_PROJECT } from '../../lambdas/core/contracts/target-resources';
import { byProjectOr, ROLE_ARN } from './targets';

// What a configuration says about targets of type `aws`.

/** Many actions know no resources: IAM takes `*` alone for them. */
const RESOURCE = /^(?:\*|arn:(?:aws|aws-cn|aws-us-gov):[a-z0-9-]+:[a-z0-9-]*:(?:\d{12})?:[\w.*/:$=,@+-]+)$/;

const AllowedAction = z.strictObject({
  action: z.string().superRefine((action, context) => {
    const fault = faultOfAction(action);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  }),
  resources: z
    .array(
      z.string().max(256).regex(RESOURCE, 'expected an ARN, or "*" alone for an action without resources'),
    )
    .min(1, 'expected at least one'),
  /** Roles that calls may hand to the service, which then has their rights. */
  passRoles: z.array(z.string().regex(ROLE_ARN, 'expected the ARN of an IAM role')).optional(),
});
const List = z.array(AllowedAction).min(1, 'expected at least one');

/** A list is for all projects. */
export const AllowedActions = byProjectOr(
  List,
  'expected a list of actions, or one for each project',
).superRefine((given, context) => {
  for (const message of longActionSessionsOf(actionsByProject(given)))
    context.addIssue({ code: 'custom', message });
});

export const actionsByProject = (given: z.output<typeof AllowedActions> = {}): ActionsByProject =>
  Array.isArray(given) ? { [EVERY_PROJECT]: given } : given;

/** Why targets cannot call an action; undefined: they can. */
export function faultOfAction(action: string): string | undefined {
  if (needsOfAction(action)) return undefined;
  const [service = ''] = action.split(':', 1);
  const operations = operationsOf(service);
  return operations
    ? `expected an action that targets may call${didYouMean(
        action,
        operations.map((one) => `${service}:${one}`),
      )}`
    : `expected an action such as "kinesis:PutRecord", of ${knownServices().join(', ')}`;
}

/** The sessions of which STS would refuse the policy: a call has one for its project and action. */
export function longActionSessionsOf(all: ActionsByProject): string[] {
  return Object.entries(all).flatMap(([project, entries]) =>
    [...new Set(entries.map(({ action }) => action))].flatMap((action) => {
      const needs = needsOfAction(action) ?? [];
      const { length } = sessionPolicyOf(rightsFor({ needs }, allowedFor(all, project, action)!));
      if (length <= SESSION_POLICY_CHARACTERS) return [];
      return [
        `expected shorter or fewer ARNs for ${action} in the project ${project}: as the policy of a session they ` +
          `have ${length} characters, at most ${SESSION_POLICY_CHARACTERS.toLocaleString('en')}`,
      ];
    }),
  );
}
