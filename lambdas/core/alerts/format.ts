import { structuredEvent } from '../domain/cloud-event';
import { INCIDENT_SEVERITIES, type IncidentKind, type Severity } from '../domain/incident';
import { keepsIncidents, type Notification } from '../domain/notification';
import type { Message } from './message';

/** The body that the target of a notification gets. `id`, `atMs`: of the message. */
export function bodyOf(
  message: Message,
  notification: Pick<Notification, 'format' | 'target' | 'severity'>,
  { id, atMs }: { id: string; atMs: number },
): unknown {
  const json = { type: 'quarterjack.notification', version: 1, ...message };
  if (keepsIncidents(notification)) return { ...json, severity: severityOf(message, notification) };
  switch (notification.format) {
    case 'json':
      return json;
    case 'cloudevents':
      return structuredEvent({ id, project: message.project, type: 'notification', atMs }, message, json);
    case 'slack':
      return slack(message);
    case 'teams':
      return teams(message);
  }
}

const isIncidentKind = (kind: Message['kind']): kind is IncidentKind =>
  Object.hasOwn(INCIDENT_SEVERITIES, kind);

/** The severity of a job's problem is that of its kind. */
function severityOf({ kind }: Message, { severity }: Pick<Notification, 'severity'>): Severity {
  if (kind === 'test') return 'info';
  const problem = isIncidentKind(kind) ? kind : 'failed';
  return severity?.[problem] ?? INCIDENT_SEVERITIES[problem];
}

/** Block Kit allows more fields, of more characters. An escaped character counts as up to five. */
const MAX_FIELDS = 10;
const MAX_FIELD = 2_000;

interface PlainText {
  type: 'plain_text';
  text: string;
  emoji: false;
}

/**
 * A message of Slack's incoming webhooks, in Block Kit. What jobs and targets say stands in `plain_text`
 * alone, where no markup counts. The only `mrkdwn` is our own link.
 */
const slack = ({ headline, project, facts, url }: Message) => ({
  text: headline,
  blocks: [
    { type: 'header', text: plain(headline, 150) },
    ...(facts.length === 0
      ? []
      : [
          {
            type: 'section',
            fields: facts.slice(0, MAX_FIELDS).map(([name, value]) => plain(`${name}: ${value}`, MAX_FIELD)),
          },
        ]),
    { type: 'section', text: { type: 'mrkdwn', text: `<${url}|Open in the console>` } },
    { type: 'context', elements: [plain(`Project ${project}`, MAX_FIELD)] },
  ],
});

/** Cut behind a whole character or entity. */
function plain(text: string, most: number): PlainText {
  const cut = text.length <= most ? text : text.slice(0, most).replace(/&[a-z]{0,4}$|[\ud800-\udbff]$/, '');
  return { type: 'plain_text', text: cut, emoji: false };
}

/**
 * An Adaptive Card 1.4 in the envelope of Teams' webhooks. Text runs of a `RichTextBlock` know no Markdown,
 * so no text of a job or target becomes a link or a mention.
 */
const teams = ({ headline, project, facts, url }: Message) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          line({ text: headline, weight: 'Bolder', size: 'Medium' }),
          ...facts.map(([name, value]) => line({ text: `${name}: `, weight: 'Bolder' }, { text: value })),
          line({ text: `Project ${project}`, isSubtle: true }),
        ],
        actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url }],
      },
    },
  ],
});

interface Run {
  text: string;
  weight?: 'Bolder';
  size?: 'Medium';
  isSubtle?: true;
}

const line = (...runs: Run[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});
