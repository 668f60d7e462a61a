import type { Message } from '../message';

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
export const slack = ({ headline, project, facts, url }: Message) => ({
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
