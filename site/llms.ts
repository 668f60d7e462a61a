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
    ...parts.map(({ title, groups }) => {
      const lines = groups
        .flatMap(({ entries }) => entries)
        .map((entry) => {
          const summary = entry.summary === '' ? '' : `: ${entry.summary}`;
          return `- [${entry.title}](${pathOf(entry.file)}.md)${summary}`;
        });
      return `## ${title}\n\n${lines.join('\n')}\n`;
    }),
  ].join('\n');
