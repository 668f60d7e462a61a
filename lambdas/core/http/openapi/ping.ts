import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { RotatePingBody } from '../ping';
import { Instant } from './answers';
import type { OperationSpec } from './operation-spec';

/** What the pings of a monitor's execution have said. */
export const PingView = z
  .strictObject({
    at: Instant.meta({ description: 'When the ping came that ended the execution.' }),
    rid: z
      .string()
      .optional()
      .meta({ description: 'The id by which its sender pairs the pings of one run.' }),
    exitCode: z.int().optional(),
    durationMs: z.int().optional().meta({ description: 'From its start ping to its end, up to 72 hours.' }),
    bytes: z.int().meta({ description: 'Bytes of the body. The log has no more than 100,000 of them.' }),
    count: z.int().meta({ description: 'How many pings the execution has had.' }),
  })
  .meta({ id: 'ExecutionPing', description: 'Only of a monitor: what its pings have said.' });

export const PingKeyView = z
  .strictObject({
    url: z.string().meta({ description: 'A client that knows it may ping: keep it as a secret.' }),
    badgeUrl: z.string().meta({ description: 'An image of the status of the monitor, for a page.' }),
    version: z.int().meta({ description: 'Rises with each rotation, from 1.' }),
    earlierUntil: Instant.optional().meta({ description: 'Until then, the URLs before work too.' }),
  })
  .meta({ id: 'PingKey' });
export type PingKeyView = z.output<typeof PingKeyView>;

const example = {
  url: 'https://api.example.com/p/qjp_…',
  badgeUrl: 'https://api.example.com/badges/qjb_….svg',
  version: 1,
};

export const PING_OPERATIONS = {
  getPingKey: {
    tag: 'Monitors',
    summary: 'Get the URL to which a monitor’s job pings',
    description:
      'A client that knows the URL may ping. It can be shown at any time, as that of the monitor’s badge. A job of another kind: 409.',
    responses: { 200: { description: 'The URL.', schema: PingKeyView, example } },
    problems: [404, 409],
  },
  rotatePingKey: {
    tag: 'Monitors',
    summary: 'Give a monitor another URL',
    description: 'The URL before works for another day, unless `now` is true. So does that of the badge.',
    body: { schema: RotatePingBody, required: false, example: { now: true } },
    responses: {
      200: { description: 'The new URL.', schema: PingKeyView, example: { ...example, version: 2 } },
    },
    problems: [404, 409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
