import * as z from 'zod/mini';

import { mentionsSecrets } from '../domain/secret-reference';
import { described, record, textUpTo } from './fields';

const MAX_VARIABLES = 50;
const MAX_VALUE_LENGTH = 4_096;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const OWN = /^QUARTERJACK_/i;

function faultOfVariable(name: string, value: string): string | undefined {
  if (!VARIABLE.test(name))
    return 'is not the name of a variable: must be 1 to 128 letters, digits or "_", without a digit first';
  if (OWN.test(name)) return 'is set by Quarterjack';
  if (mentionsSecrets(value)) return 'must not name a secret: ECS shows the variables of a task';
  return value.length <= MAX_VALUE_LENGTH ? undefined : `must have at most ${MAX_VALUE_LENGTH} characters`;
}

const environment = record(z.string(), z.string()).check(
  z.superRefine((variables, context) => {
    const entries = Object.entries(variables);
    if (entries.length > MAX_VARIABLES)
      context.addIssue(`must have at most ${MAX_VARIABLES} variables, not ${entries.length}`);
    for (const [name, value] of entries) {
      const message = faultOfVariable(name, value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
    }
  }),
);

/** `delivery/targets/` checks the form of both ARNs, and whether the deployment allows them. */
const arn = () => textUpTo(256);

const NEEDS_CONTAINER = z.refine<{ container?: string; environment?: object }>(
  (target) => target.container !== undefined || target.environment === undefined,
  { path: ['container'], message: 'is missing: it says which container gets the variables' },
);

/** A task of ECS, without its role, image and network: each is a way to run code under another's role. */
export const EcsFields = z
  .strictObject({
    type: z.literal('ecs'),
    taskDefinitionArn: described(arn(), { description: 'A revision, or a family: its latest one.' }),
    clusterArn: arn(),
    container: described(
      z.optional(
        z
          .string()
          .check(
            z.regex(
              /^[\w-]{1,255}$/,
              'must be the name of a container: 1 to 255 letters, digits, "_" or "-"',
            ),
          ),
      ),
      { description: 'Gets payload and ids as variables; its exit code counts. Absent: those of all do.' },
    ),
    environment: described(z.optional(environment), {
      description: 'Variables of that container. No secrets.',
    }),
  })
  .check(NEEDS_CONTAINER);
