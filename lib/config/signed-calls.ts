import * as z from 'zod';

import {
  EVERY_PROJECT,
  SIGNED_SERVICES,
  type SignedCalls as CallsByProject,
  signedCallsOf,
  SIGNING_SERVICES,
} from '../../lambdas/core/contracts/target-resources';
import { SESSION_POLICY_CHARACTERS, sessionPolicyOf } from '../../lambdas/core/contracts/session-rights';

// What a configuration says about calls with a signature of AWS.

const RESOURCE = /^arn:(aws|aws-cn|aws-us-gov):[a-z0-9-]+:[a-z0-9-]+:(\d{12})?:[\w.*/:$-]+$/;
const HOST = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/;

const SignedCall = z.strictObject({
  service: z.enum(SIGNED_SERVICES),
  resources: z
    .array(z.string().max(256).regex(RESOURCE, 'expected an ARN, with "*" only behind its account'))
    .min(1, 'expected at least one'),
  /** Without wildcards: a signature for a service must not go to a stranger. */
  hosts: z.array(z.string().regex(HOST, 'expected a host in lower case, like api.example.com')).optional(),
});
const List = z.array(SignedCall).min(1, 'expected at least one');

/** A list is for all projects. */
export const SignedCalls = z
  .union(
    [List, z.record(z.string().min(1).max(512), List)],
    'expected a list of calls, or one for each project',
  )
  .superRefine((given, context) => {
    for (const message of longSessionsOf(signedByProject(given)))
      context.addIssue({ code: 'custom', message });
  });
type Given = z.output<typeof List> | Record<string, z.output<typeof List>>;

export const signedByProject = (given: Given = {}): CallsByProject =>
  Array.isArray(given) ? { [EVERY_PROJECT]: given } : given;

function longSessionsOf(all: CallsByProject): string[] {
  return Object.keys(all).flatMap((project) =>
    SIGNED_SERVICES.flatMap((service) => {
      const resources = signedCallsOf(all, project, service).flatMap((one) => one.resources);
      const { length } = sessionPolicyOf([{ actions: SIGNING_SERVICES[service].actions, resources }]);
      if (length <= SESSION_POLICY_CHARACTERS) return [];
      return [
        `expected shorter or fewer ARNs for ${service} in the project ${project}: as the policy of a session they ` +
          `have ${length} characters, at most ${SESSION_POLICY_CHARACTERS.toLocaleString('en')}`,
      ];
    }),
  );
}
