import type { Message } from '../message';

/**
 * An Adaptive Card 1.4 in the envelope of Teams' webhooks. Text runs of a `RichTextBlock` know no Markdown,
 * so no text of a job or target becomes a link or a mention.
 */
export const teams = ({ headline, project, facts, url }: Message) => ({
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
