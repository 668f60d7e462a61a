import { entriesOf } from './contents';
import { pathOf } from './page';
import type { Site } from './site';

const HEAD = `# Quarterjack

> A serverless, distributed job scheduler that you deploy into your own AWS account: schedules, retries,
> workflows, workers, and the reason why a job did not run.

Each page of this site has a twin in Markdown, to which these links lead.
`;

/** The contents for programs that read (https://llmstxt.org): each page by its twin. */
export const llms = ({ parts }: Site): string =>
  [
    HEAD,
    ...parts.map((part) => {
      const lines = entriesOf(part).map(({ title, file, summary }) => {
        const behind = summary === '' ? '' : `: ${summary}`;
        return `- [${title}](${pathOf(file)}.md)${behind}`;
      });
      return `## ${part.title}\n\n${lines.join('\n')}\n`;
    }),
  ].join('\n');
