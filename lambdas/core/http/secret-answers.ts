import * as z from 'zod';

import { ActorView } from './actor-answers';
import { Instant, nextCursor, orNull } from './answers';
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

export const SigningSecretView = z
  .strictObject({
    host: orNull(z.string()).meta({
      description: 'The host whose deliveries the secret signs; null: the legacy secret of the project.',
    }),
    secret: z.string().meta({ description: '`whsec_…`, in the form of Standard Webhooks.' }),
    version: z.int().meta({ description: 'Rises with each rotation.' }),
    signingAlong: z
      .array(z.strictObject({ version: z.int(), until: Instant }))
      .meta({ description: 'Earlier versions that also sign deliveries, and until when.' }),
  })
  .meta({ id: 'SigningSecret' });
export type SigningSecretView = z.output<typeof SigningSecretView>;

export const LegacyEndedView = z
  .strictObject({ legacy: z.literal(false) })
  .meta({ id: 'LegacyEnded', description: 'The legacy secret of the project signs nothing any more.' });
export type LegacyEndedView = z.output<typeof LegacyEndedView>;
