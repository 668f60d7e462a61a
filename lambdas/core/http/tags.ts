import * as z from 'zod/mini';

import { record, singleLine } from './fields';

const TAG_KEY = /^[\p{L}\p{N}_./=+@-]{1,64}$/u;

/** Tags: texts by keys that the user chooses. */
export const tags = (most: number) =>
  record(z.string(), singleLine(0, 256)).check(
    z.superRefine((given, context) => {
      const keys = Object.keys(given);
      if (keys.length > most) context.addIssue(`must have at most ${most} tags, not ${keys.length}`);
      for (const key of keys.slice(0, most)) {
        if (TAG_KEY.test(key)) continue;
        const message = 'is not a tag key: must be 1 to 64 letters, digits or characters of "_./=+@-"';
        context.addIssue({ code: 'custom', path: [key], message });
      }
    }),
  );
