import type { Notification, NotificationDefinition } from '../../client/browser';

/** Where messages go: to a URL, an email address, PagerDuty, or to any other target as JSON. */
export type Channel = 'http' | 'email' | 'pagerduty' | 'json';
export type Kind = NotificationDefinition['on'][number];
type Format = NonNullable<NotificationDefinition['format']>;

export const KINDS: readonly Kind[] = [
  'failed',
  'skipped',
  'late',
  'recovered',
  'succeeded',
  'waiting-approval',
  'calendar-ends',
];

/** A notification while it is edited. */
export interface NotificationDraft {
  id: string;
  on: readonly Kind[];
  tag: string;
  lateAfter: string;
  channel: Channel;
  /** The URL, the address, the secret of the routing key, or the JSON. */
  target: string;
  minInterval: string;
  format: Format;
  /** Kept as it is. */
  severity?: NotificationDefinition['severity'];
}

export const NEW_NOTIFICATION: NotificationDraft = {
  id: '',
  on: ['failed', 'recovered'],
  tag: '',
  lateAfter: '5m',
  channel: 'http',
  target: '',
  minInterval: '10m',
  format: 'json',
};

interface AnyTarget {
  type?: string;
  url?: string;
  to?: string;
  routingKey?: string;
}

export function notificationDraftOf(notification: Notification): NotificationDraft {
  const { id, on, filter, lateAfter = '5m', minInterval, format, severity } = notification;
  const given = notification.target as AnyTarget;
  const isPlain =
    given.type === 'http' &&
    !Object.hasOwn(given, 'auth') &&
    !Object.hasOwn(given, 'tls') &&
    !Object.hasOwn(given, 'cloudEvents') &&
    isEmpty(given, 'headers');
  const [channel, target]: [Channel, string] =
    given.type === 'email'
      ? ['email', given.to ?? '']
      : isPlain
        ? ['http', given.url ?? '']
        : given.type === 'pagerduty' && !Object.hasOwn(given, 'region')
          ? ['pagerduty', given.routingKey ?? '']
          : ['json', JSON.stringify(given, null, 2)];
  const kept = severity && { severity };
  return { id, on, tag: filter?.tag ?? '', lateAfter, channel, target, minInterval, format, ...kept };
}

const isEmpty = (target: AnyTarget, field: string): boolean =>
  Object.keys((target as Record<string, object | undefined>)[field] ?? {}).length === 0;

/** The body of a PUT. Throws a `SyntaxError` if the target is no JSON. */
export function notificationOf(draft: NotificationDraft): NotificationDefinition {
  const { on, tag, lateAfter, minInterval, format, channel, target, severity } = draft;
  return {
    on: KINDS.filter((kind) => on.includes(kind)),
    ...(tag.trim() && { filter: { tag: tag.trim() } }),
    ...(on.includes('late') && { lateAfter: lateAfter.trim() }),
    target: targetOf(channel, target.trim()),
    minInterval: minInterval.trim(),
    format: hasFormat(channel) ? format : 'json',
    ...(severity && { severity }),
  };
}

function targetOf(channel: Channel, text: string): NotificationDefinition['target'] {
  if (channel === 'json') return JSON.parse(text) as NotificationDefinition['target'];
  if (channel === 'email') return { type: 'email', to: text };
  return channel === 'pagerduty' ? { type: 'pagerduty', routingKey: text } : { type: 'http', url: text };
}

export const hasFormat = (channel: Channel): boolean => channel === 'http' || channel === 'json';

/** Where a notification goes, in a few words. */
export function channelText(notification: Notification): string {
  const { channel, target } = notificationDraftOf(notification);
  return channel === 'json' ? String((notification.target as AnyTarget).type) : target;
}
