import * as z from 'zod/mini';

import { ROLES } from './roles';

/**
 * A program that gets tokens by client credentials (RFC 6749 4.4). Its tokens are those of one project, in
 * one role.
 */
export const MachineClient = z.strictObject({
  /** `client_id` in its tokens. */
  clientId: z.string().check(z.minLength(1)),
  /** For people: what the configuration calls it. */
  name: z.string().check(z.minLength(1)),
  project: z.string().check(z.minLength(1)),
  role: z.enum(ROLES),
});
export type MachineClient = z.output<typeof MachineClient>;
