import * as z from 'zod/mini';

import { described } from './fields';

export const RotatePingBody = described(
  z.strictObject({
    now: described(z.optional(z.boolean()), {
      description:
        'If true, the URL before ends at once. If false, it works for another day. Default: false.',
    }),
  }),
  { id: 'PingRotation' },
);
