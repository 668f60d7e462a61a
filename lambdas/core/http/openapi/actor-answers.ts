import * as z from 'zod';

/* Who did something, in responses. See `answers.ts`. */

export const ActorView = z
  .strictObject({
    sub: z.string().meta({
      description: 'The subject of the token. For an API key, the subject of the actor that created it.',
    }),
    name: z.string().nullable().meta({ description: 'A name for people; null if nothing tells one.' }),
    via: z
      .string()
      .regex(/^(?:token|system|key:[^]+)$/)
      .meta({
        description: '`token`, `key:` with the name of an API key, or `system`: the deployment itself.',
      }),
  })
  .meta({ id: 'Actor', description: 'Who made a change.' });
