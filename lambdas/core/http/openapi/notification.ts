import * as z from 'zod';

import { INCIDENT_KINDS, SEVERITIES } from '../../domain/incident';
import { NOTIFICATION_FORMATS, NOTIFICATION_KINDS } from '../../domain/notification';
import type { Operation } from '../../contracts/routes';
import { JobId } from '../fields';
import { NotificationTargetFields, NotificationBody } from '../notification';
import { EmptyBody } from '../job';
import { ActorView } from './actor-answers';
import { Instant, nextCursor } from './answers';
import type { OperationSpec } from './operation-spec';

export const NotificationView = z
  .strictObject({
    id: JobId,
    on: z.array(z.enum(NOTIFICATION_KINDS)),
    filter: z.strictObject({ tag: z.string() }).optional(),
    lateAfter: z.string().optional(),
    target: NotificationTargetFields,
    minInterval: z.string(),
    format: z.enum(NOTIFICATION_FORMATS),
    severity: z.partialRecord(z.enum(INCIDENT_KINDS), z.enum(SEVERITIES)).optional(),
    jobId: z.string().meta({
      description:
        'The hidden job that delivers the messages. Its executions can be read as those of any job.',
      examples: ['~n-ops'],
    }),
    confirmed: z.boolean().optional().meta({
      description:
        'Only of a target `email`, and not in lists: whether its owner has confirmed the subscription.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
    by: ActorView,
  })
  .meta({ id: 'Notification' });
export type NotificationView = z.output<typeof NotificationView>;

const NotificationPage = z
  .strictObject({ items: z.array(NotificationView), nextCursor })
  .meta({ id: 'NotificationPage' });

export const NotificationTestView = z
  .strictObject({
    jobId: z.string(),
    execId: z.string(),
  })
  .meta({ id: 'NotificationTest', description: 'The execution that delivers the test message.' });
export type NotificationTestView = z.output<typeof NotificationTestView>;

const definition = {
  on: ['failed', 'late', 'recovered'],
  filter: { tag: 'team:billing' },
  lateAfter: '5m',
  target: { type: 'http', url: 'https://hooks.example.com/ops' },
  minInterval: '10m',
  format: 'json',
};

const example = {
  id: 'ops',
  ...definition,
  target: {
    type: 'http',
    url: 'https://hooks.example.com/ops',
    method: 'POST',
    headers: {},
    timeout: '30s',
    mode: 'sync',
  },
  jobId: '~n-ops',
  createdAt: '2026-12-01T08:30:00.000Z',
  updatedAt: '2026-12-01T08:30:00.000Z',
  by: { sub: 'alice', name: null, via: 'token' },
};

export const NOTIFICATION_OPERATIONS = {
  putNotification: {
    tag: 'Notifications',
    summary: 'Create or replace a notification',
    description:
      'It is in effect when the answer arrives, about a second after the request. ' +
      'A target `email` gets messages once its owner has confirmed the subscription. ' +
      'A project may have 20 new addresses a day asked. An address of another project is refused.',
    body: { schema: NotificationBody, required: true, example: definition },
    responses: {
      200: { description: 'The notification was replaced.', schema: NotificationView, example },
      201: { description: 'The notification was created.', schema: NotificationView, example },
    },
    problems: [409],
  },
  listNotifications: {
    tag: 'Notifications',
    summary: 'List the notifications of the project',
    responses: {
      200: {
        description: 'A page of the notifications, by id.',
        schema: NotificationPage,
        example: { items: [example], nextCursor: null },
      },
    },
  },
  getNotification: {
    tag: 'Notifications',
    summary: 'Get a notification',
    responses: { 200: { description: 'The notification.', schema: NotificationView, example } },
    problems: [404],
  },
  deleteNotification: {
    tag: 'Notifications',
    summary: 'Delete a notification',
    description:
      'Messages that wait are cancelled. What it has told stays readable under its hidden job. ' +
      'Open incidents of a target that keeps some are resolved within two minutes. ' +
      'The subscription of its address ends, if no other notification of the project names that.',
    responses: { 204: { description: 'The notification is deleted.' } },
    problems: [404],
  },
  testNotification: {
    tag: 'Notifications',
    summary: 'Send a test message',
    description:
      'The response names the execution that delivers it. A target that keeps incidents gets one of severity ' +
      '`info`, which is resolved at once.',
    body: { schema: EmptyBody, required: false, example: {} },
    responses: {
      202: {
        description: 'The message is on its way.',
        schema: NotificationTestView,
        example: { jobId: '~n-ops', execId: '20261201T083000.000Z-3k9x0c2m7q4t8v1b' },
      },
    },
    problems: [404],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
