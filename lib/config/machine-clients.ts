import * as z from 'zod';

import { ROLES } from '../../lambdas/core/contracts/roles';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const PROJECT = /^(?!quarterjack-)[a-zA-Z0-9][\w.@:/-]{0,127}$/;
const ROLE_EXPECTED = `expected one of ${ROLES.join(', ')}`;
/** The authorizer gets their ids in its environment, which holds 4 KB. */
const MAX_CLIENTS = 12;

/** Programs that get tokens by client credentials, by name. */
export const MachineClients = z
  .record(
    z.string(),
    z.strictObject({
      /** The only project of its tokens. */
      project: z
        .string()
        .regex(PROJECT, 'expected a project of at most 128 letters, digits and _.@:/-, not "quarterjack-…"'),
      /** What its tokens may do there. */
      role: z.enum(ROLES, ROLE_EXPECTED),
      /** `client_id` in its tokens, with a configured issuer. Absent: the name. */
      clientId: z.string().min(1).max(200).optional(),
    }),
  )
  .superRefine((clients, context) => {
    const names = Object.keys(clients);
    const wrong = names.filter((name) => !NAME.test(name));
    for (const name of wrong)
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'expected a name of at most 32 of a-z, 0-9 and "-", beginning with a letter',
      });
    if (names.length > MAX_CLIENTS)
      context.addIssue({ code: 'custom', message: `expected at most ${MAX_CLIENTS} machine clients` });
  });
export type MachineClients = z.output<typeof MachineClients>;
