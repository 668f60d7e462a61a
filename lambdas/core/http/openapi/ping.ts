import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { NewMonitorBody, ProjectPingKeyBody, RotatePingBody } from '../ping';
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
    count: z.int().meta({ description: 'Pings that made it what it is: 1, or 2 with that of its start.' }),
  })
  .meta({ id: 'ExecutionPing', description: 'Only of a monitor: what its pings have said.' });

export const PingKeyView = z
  .strictObject({
    url: z.string().meta({ description: 'A client that knows it may ping: keep it as a secret.' }),
    slugUrl: z.string().optional().meta({
      description:
        'Its URL by the key that may ping all monitors. Absent: there is none, or the jobId is no slug.',
    }),
    badgeUrl: z.string().meta({ description: 'An image of the status of the monitor, for a page.' }),
    version: z.int().meta({ description: 'Rises with each rotation, from 1.' }),
    earlierUntil: Instant.optional().meta({ description: 'Until then, the URLs before work too.' }),
  })
  .meta({ id: 'PingKey' });
export type PingKeyView = z.output<typeof PingKeyView>;

/** What the key of a project is, for people who set up machines. */
export const ProjectPingKeyView = z
  .strictObject({
    url: z.string().meta({
      description: 'A client that adds `/` and a jobId may ping: keep it as a secret.',
    }),
    name: z.string(),
    allowCreate: z.boolean(),
    version: z.int().meta({ description: 'Rises with each rotation, from 1.' }),
    earlierUntil: Instant.optional().meta({ description: 'Until then, the URL before works too.' }),
  })
  .meta({ id: 'ProjectPingKey' });
export type ProjectPingKeyView = z.output<typeof ProjectPingKeyView>;

const MadeMonitor = z.strictObject({ jobId: z.string() }).meta({ id: 'MadeMonitor' });
const made = { jobId: 'nightly-backup' };

const ofProject = {
  url: 'https://api.example.com/s/qjs_…',
  name: 'pings',
  allowCreate: false,
  version: 1,
};

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
  getProjectPingKey: {
    tag: 'Monitors',
    summary: 'Get the URL to which all jobs of the project ping',
    description: 'A client that knows it may ping every monitor whose jobId it knows.',
    responses: { 200: { description: 'The URL.', schema: ProjectPingKeyView, example: ofProject } },
    problems: [404],
  },
  putProjectPingKey: {
    tag: 'Monitors',
    summary: 'Give the project a URL for pings, or change what it allows',
    body: { schema: ProjectPingKeyBody, required: false, example: { allowCreate: true } },
    responses: {
      200: {
        description: 'It is changed.',
        schema: ProjectPingKeyView,
        example: { ...ofProject, allowCreate: true },
      },
      201: { description: 'It is new.', schema: ProjectPingKeyView, example: ofProject },
    },
    problems: [],
  },
  deleteProjectPingKey: {
    tag: 'Monitors',
    summary: 'End the URL of the project for pings',
    description: 'It ends at once. The monitors keep their own URLs.',
    responses: { 204: { description: 'It is ended.' } },
    problems: [404],
  },
  rotateProjectPingKey: {
    tag: 'Monitors',
    summary: 'Give the project another URL for pings',
    description: 'The URL before works for another day, unless `now` is true.',
    body: { schema: RotatePingBody, required: false, example: { now: true } },
    responses: {
      200: { description: 'The new URL.', schema: ProjectPingKeyView, example: { ...ofProject, version: 2 } },
    },
    problems: [404, 409],
  },
  provisionMonitor: {
    tag: 'Monitors',
    summary: 'Make the monitor that a ping names',
    description:
      'For a ping with `create=1`: its function passes the key of the project on. The monitor has the schedule `none`, `expectEvery` 25h and the tag `monitor:auto`.',
    body: { schema: NewMonitorBody, required: true, example: made },
    responses: {
      200: { description: 'There is a monitor with the id.', schema: MadeMonitor, example: made },
      201: { description: 'The monitor is new.', schema: MadeMonitor, example: made },
    },
    problems: [409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
