import * as z from 'zod/mini';

import { described, JobId, singleLine } from './fields';

export const RotatePingBody = described(
  z.strictObject({
    now: described(z.optional(z.boolean()), {
      description:
        'If true, the URL before ends at once. If false, it works for another day. Default: false.',
    }),
  }),
  { id: 'PingRotation' },
);

export const ProjectPingKeyBody = described(
  z.strictObject({
    name: described(z._default(singleLine(1, 64), 'pings'), {
      description: 'Monitors that it makes are by the actor `key:` and this name.',
    }),
    allowCreate: described(z._default(z.boolean(), false), {
      description:
        'Whether a ping with `create=1` makes a monitor where none has the slug: 20 a minute, and 500 until this is false once.',
    }),
  }),
  { id: 'ProjectPingKeyRequest' },
);

export const NewMonitorBody = described(z.strictObject({ jobId: JobId }), { id: 'NewMonitor' });
