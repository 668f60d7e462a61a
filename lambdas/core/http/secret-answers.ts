import * as z from 'zod';

import { ActorView, Instant, nextCursor } from './answers';
import { SecretName } from './secret';

/** Jobs shown with a secret. */
export const MAX_USERS = 100;

/** A secret without its value. */
export const SecretView = z
  .strictObject({
    name: SecretName,
    hosts: z.array(z.string()),
    updatedAt: Instant,
    by: ActorView,
    users: z.array(z.string()).meta({
      description: `Ids of jobs that use the secret, at most ${MAX_USERS}. A job that no longer uses it may be listed until the next audit.`,
    }),
    hasMoreUsers: z.boolean(),
  })
  .meta({ id: 'Secret', description: 'A secret of the project. No response has its value.' });
export type SecretView = z.output<typeof SecretView>;

export const SecretPage = z
  .strictObject({ items: z.array(SecretView), nextCursor })
  .meta({ id: 'SecretPage' });
