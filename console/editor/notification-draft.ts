import type { Notification, NotificationDefinition } from '../../client/browser';

/** Where messages go: to a URL, an address, a service that keeps incidents, or another target as JSON. */
export type Channel = 'http' | 'email' | 'pagerduty' | 'incident-io' | 'json';
export type Kind = NotificationDefinition['on'][number];
type Format = NonNullable<NotificationDefinition['format']>;

export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
/** What an incident is opened for. */
export const INCIDENT_KINDS = ['failed', 'skipped', 'late', 'slow', 'quick'] as const;
type Severities = Partial<Record<Kind, (typeof SEVERITIES)[number] | undefined>>;

export const KINDS: readonly Kind[] = [
  'failed',
  'skipped',
  'late',
  'slow',
  'quick',
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
  /** The URL, the address, the secret of an incident service, or the JSON. */
  target: string;
  /** Of PagerDuty. Empty: not given, which is the US. */
  region: '' | 'us' | 'eu';
  /** Of incident.io. */
  sourceId: string;
  minInterval: string;
  format: Format;
  /** Of incidents, where it is another than the usual one. */
  severity: Severities;
}

export const NEW_NOTIFICATION: NotificationDraft = {
  id: '',
  on: ['failed', 'recovered'],
  tag: '',
  lateAfter: '5m',
  channel: 'http',
  target: '',
  region: '',
  sourceId: '',
  minInterval: '10m',
  format: 'json',
  severity: {},
};

interface AnyTarget {
  type?: string;
  url?: string;
  to?: string;
  routingKey?: string;
  region?: 'us' | 'eu';
  sourceId?: string;
  token?: string;
}

export function notificationDraftOf(notification: Notification): NotificationDraft {
  const { id, on, filter, lateAfter = '5m', minInterval, format, severity = {} } = notification;
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
        : given.type === 'pagerduty'
          ? ['pagerduty', given.routingKey ?? '']
          : given.type === 'incident-io'
            ? ['incident-io', given.token ?? '']
            : ['json', JSON.stringify(given, null, 2)];
  const { region = '' as const, sourceId = '' } = given;
  return {
    ...{ id, on, tag: filter?.tag ?? '', lateAfter, channel, target },
    ...{ region, sourceId, minInterval, format, severity },
  };
}

const isEmpty = (target: AnyTarget, field: string): boolean =>
  Object.keys((target as Record<string, object | undefined>)[field] ?? {}).length === 0;

/** The body of a PUT. Throws a `SyntaxError` if the target is no JSON. */
export function notificationOf(draft: NotificationDraft): NotificationDefinition {
  const { on, tag, lateAfter, minInterval, format, channel, severity } = draft;
  const severities = Object.entries(severity).filter(([, one]) => one !== undefined);
  return {
    on: KINDS.filter((kind) => on.includes(kind)),
    ...(tag.trim() && { filter: { tag: tag.trim() } }),
    ...(on.includes('late') && { lateAfter: lateAfter.trim() }),
    target: targetOf(draft),
    minInterval: minInterval.trim(),
    format: hasFormat(channel) ? format : 'json',
    ...(severities.length > 0 && keepsIncidents(channel) && { severity: Object.fromEntries(severities) }),
  };
}

function targetOf({
  channel,
  target,
  region,
  sourceId,
}: NotificationDraft): NotificationDefinition['target'] {
  const text = target.trim();
  if (channel === 'json') return JSON.parse(text) as NotificationDefinition['target'];
  if (channel === 'email') return { type: 'email', to: text };
  if (channel === 'incident-io') return { type: 'incident-io', sourceId: sourceId.trim(), token: text };
  if (channel === 'http') return { type: 'http', url: text };
  return { type: 'pagerduty', routingKey: text, ...(region && { region }) };
}

export const keepsIncidents = (channel: Channel): boolean =>
  channel === 'pagerduty' || channel === 'incident-io';

export const hasFormat = (channel: Channel): boolean => channel === 'http' || channel === 'json';

/** Where a notification goes, in a few words. */
export function channelText(notification: Notification): string {
  const { channel, target } = notificationDraftOf(notification);
  return channel === 'json' ? String((notification.target as AnyTarget).type) : target;
}
