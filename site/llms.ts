import { entriesOf, type Entry } from './contents';
import { type Page, pathOf } from './page';
import type { Site } from './site';

const HEAD = `# Quarterjack

> A serverless, distributed job scheduler that you deploy into your own AWS account: schedules, retries,
> workflows, workers, and the reason why a job did not run.

Each page of this site has a twin in Markdown, to which these links lead.
`;

/**
 * The contents for programs that read (https://llmstxt.org): each page by its twin. What is below a page of
 * the contents has a section of its own: the parts of the API reference, the problems, the decisions.
 */
export function llms({ parts, pages }: Site): string {
  const entries = parts.flatMap(entriesOf);
  const below = entries.map(({ file, title }) => ({
    title,
    entries: [...pages.values()].filter(({ parent }) => parent === file).map(entryOf),
  }));
  return [
    HEAD,
    ...parts.map((part) => section(part.title, entriesOf(part))),
    ...below.filter((one) => one.entries.length > 0).map((one) => section(one.title, one.entries)),
  ].join('\n');
}

function section(title: string, entries: readonly Entry[]): string {
  const lines = entries.map(
    (entry) => `- [${entry.title}](${pathOf(entry.file)}.md)${entry.summary && `: ${entry.summary}`}`,
  );
  return `## ${title}\n\n${lines.join('\n')}\n`;
}

/** A page that the contents do not name. One that is generated begins with what it is about. */
function entryOf({ file, title, text, generated }: Page): Entry {
  const [, first = ''] = text.split('\n\n');
  const summary = first.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replace(/\s+/g, ' ');
  return { file, title, summary: generated ? summary : '' };
}
