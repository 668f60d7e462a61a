import type { Outcome, Result } from '../run-steps';

/** What is written as JSON. A change of its fields raises `version`. */
export interface Report {
  version: 1;
  stack: string;
  /** `aws` or `local`. */
  site: string;
  /** RFC 3339. */
  startedAt: string;
  endedAt: string;
  counts: Record<Outcome, number>;
  /** What could not be removed. */
  leftBehind: string[];
  results: readonly Result[];
}

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'not applicable', 'not asked for', 'not run'];
const MARKS: Readonly<Record<Outcome, string>> = {
  passed: 'ok  ',
  failed: 'FAIL',
  'not applicable': 'n/a ',
  'not asked for': '-   ',
  'not run': '?   ',
};

export const countsOf = (results: readonly Result[]): Record<Outcome, number> =>
  Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]),
  ) as Record<Outcome, number>;

/** One line for the terminal. */
export const lineOf = ({ outcome, check, promise, detail }: Result): string =>
  `  ${MARKS[outcome]}  ${check.padEnd(28)} ${outcome === 'failed' ? `${promise}: ` : ''}${detail}`;

/** `12 passed, 1 failed, 20 not applicable, 3 not asked for`: what there is of each. */
export const summaryOf = (results: readonly Result[]): string => {
  const counts = countsOf(results);
  return OUTCOMES.filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcome}`)
    .join(', ');
};

/** The report as a table, such as for docs/lab. */
export function markdownOf({ stack, site, startedAt, results }: Report): string {
  const rows = results.map(({ check, outcome, detail }) => `| ${check} | ${outcome} | ${cell(detail)} |`);
  return [
    `# ${stack}, ${site === 'aws' ? 'in AWS' : 'a local run'}, ${startedAt}`,
    '',
    `${summaryOf(results)}.`,
    '',
    '| Check | Outcome | Found |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

/** `accept-20261122T101500Z`: the name of both files, without the ending. */
export const fileNameOf = ({ startedAt }: Pick<Report, 'startedAt'>): string =>
  `accept-${startedAt.replaceAll(/[-:]|\.\d+/g, '')}`;
