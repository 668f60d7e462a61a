import { PROBLEM_KINDS } from '../lambdas/core/http/problem-kinds';
import { type Page, pageOf } from './page';

const FILE = 'docs/problems.md';

/** A page for each kind of problem, and one that lists them. They are below the page of the API. */
export function problemPages(api: string): Page[] {
  const kinds = Object.entries(PROBLEM_KINDS);
  const rows = kinds.map(
    ([kind, { status, title, meaning }]) => `| ${status} | [${title}](problems/${kind}.md) | ${meaning} |`,
  );
  const list = `# Problems

An answer that is an error has the type \`application/problem+json\`. Its \`type\` is a URL of your deployment,
such as \`https://…/v1/problems/not-found\`. The URL opens without a token and says what this page says.

| Status | Problem | What it means |
| --- | --- | --- |
${rows.join('\n')}
`;
  const pages = kinds.map(([kind, { status, title, meaning, advice }]) =>
    pageOf(
      `docs/problems/${kind}.md`,
      `# ${title}

${meaning}

**What to do.** ${advice}

| Field | Value |
| --- | --- |
| Status | ${status} |
| \`type\` | \`https://…/v1/problems/${kind}\` |

[All problems](../problems.md) · [API reference](../api.md)
`,
      { parent: api },
    ),
  );
  return [pageOf(FILE, list, { parent: api }), ...pages];
}
