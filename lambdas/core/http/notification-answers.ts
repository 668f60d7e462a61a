import * as z from 'zod';

import { NOTIFICATION_FORMATS, NOTIFICATION_KINDS } from '../domain/notification';
import { ActorView } from './actor-answers';
import { Instant, nextCursor } from './answers';
import { JobId } from './fields';
import { NotificationTargetFields } from './notification';

export const NotificationView = z
  .strictObject({
    id: JobId,
    on: z.array(z.enum(NOTIFICATION_KINDS)),
    filter: z.strictObject({ tag: z.string() }).optional(),
    lateAfter: z.string().optional(),
    target: NotificationTargetFields,
    minInterval: z.string(),
    format: z.enum(NOTIFICATION_FORMATS),
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

export const NotificationPage = z
  .strictObject({ items: z.array(NotificationView), nextCursor })
  .meta({ id: 'NotificationPage' });

export const NotificationTestView = z
  .strictObject({
    jobId: z.string(),
    execId: z.string(),
  })
  .meta({ id: 'NotificationTest', description: 'The execution that delivers the test message.' });
export type NotificationTestView = z.output<typeof NotificationTestView>;
