import {
  type Notification,
  type NotificationDefinition,
  NotFoundError,
  type Quarterjack,
} from '../../client';
import { inParallel } from '../in-parallel';
import { unknownOf } from '../unknown';
import { isObject } from '../is-object';
import type { ApiDescription, Definition } from './definition';
import { diff, type FieldChange } from './diff';
import { type Schema, withSchemaDefaults } from './schema-defaults';

/** A notification as a file defines it. */
export interface FileNotification {
  id: string;
  definition: NotificationDefinition;
  /** As of a job. */
  where(field?: string): string;
}

/** A notification to add or to change. No file removes one. */
export interface NotificationPlan {
  notification: FileNotification;
  isNew: boolean;
  changes: FieldChange[];
}

const FIELDS = ['on', 'filter', 'lateAfter', 'target', 'minInterval', 'format', 'severity'];
/** Targets of notifications alone, which have no defaults. */
const OWN_TARGETS: readonly unknown[] = ['email', 'pagerduty', 'incident-io'];

/** What is wrong with a notification of a file, as far as a file alone can say. */
export function notificationProblems(value: unknown): { field: string; message: string }[] {
  if (!isObject(value))
    return [{ field: '', message: 'must be an object with the fields of a notification' }];
  const unknown = Object.keys(value).filter((field) => !FIELDS.includes(field));
  const missing = ['on', 'target'].filter((field) => value[field] === undefined);
  return [
    ...unknown.map((field) => ({ field, message: unknownOf(field, FIELDS) })),
    ...missing.map((field) => ({ field, message: 'is missing' })),
  ];
}

/** Compares the notifications of files with the stored ones. The token needs the scope `project:admin`. */
export async function planNotifications(
  client: Quarterjack,
  notifications: readonly FileNotification[],
  { components: { schemas } }: ApiDescription,
): Promise<NotificationPlan[]> {
  const plans = await inParallel(notifications, async (notification): Promise<NotificationPlan[]> => {
    const current = await currentOf(client, notification.id);
    const wanted = withDefaults(notification.definition, schemas);
    const changes = current ? diff(notificationContent(current), wanted, FIELDS) : [];
    return current && changes.length === 0 ? [] : [{ notification, isNew: !current, changes }];
  });
  return plans.flat();
}

/** The document describes a target in full where it is that of a job. */
function withDefaults(definition: NotificationDefinition, schemas: Record<string, Schema>): Definition {
  const filled = withSchemaDefaults(definition, schemas.NotificationRequest ?? {}, schemas) as Definition;
  const target = schemas.JobDefinition?.properties?.target;
  const isOwn = isObject(filled.target) && OWN_TARGETS.includes(filled.target.type);
  if (isOwn || !target) return filled;
  return { ...filled, target: withSchemaDefaults(filled.target, target, schemas) };
}

async function currentOf(client: Quarterjack, id: string): Promise<Notification | undefined> {
  try {
    return await client.notifications.get(id);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** What its user has set of it. */
export function notificationContent(notification: Notification): Definition {
  const given = notification as unknown as Definition;
  return Object.fromEntries(
    FIELDS.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
  );
}
