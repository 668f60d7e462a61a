import { eventually } from '../../support/eventually';
import type { JobSeen } from './broken-promises';

/** The journal may be some seconds behind, on a busy machine more. */
const WITHIN_MS = 120_000;
const ENDED = ['succeeded', 'failed', 'cancelled'];

interface Listed {
  jobId: string;
  execId: string;
  status: string;
}

/** What of the ends of some jobs is wrong in a list that has come from the journal. */
export function wrongInJournal(jobs: readonly JobSeen[], listed: readonly Listed[]): string[] {
  const times = new Map<string, number>();
  const nameOf = ({ jobId, execId, status }: Listed) => `${jobId} ${execId} ${status}`;
  for (const one of listed) times.set(nameOf(one), (times.get(nameOf(one)) ?? 0) + 1);
  const expected = jobs.flatMap(({ jobId, executions }) =>
    executions
      .filter(({ status }) => ENDED.includes(status))
      .map(({ execId, status }) => nameOf({ jobId, execId, status })),
  );
  const known = new Set(jobs.map(({ jobId }) => jobId));
  const others = listed.filter((one) => known.has(one.jobId) && ENDED.includes(one.status)).map(nameOf);
  return [
    ...expected.filter((name) => !times.has(name)).map((name) => `${name}: not in the journal`),
    ...[...times].filter(([, count]) => count > 1).map(([name, count]) => `${name}: ${count} × in the list`),
    ...others.filter((name) => !expected.includes(name)).map((name) => `${name}: in the journal alone`),
  ];
}

/** Reads the journal by HTTP until it has each end of some jobs once. Returns what is wrong in the end. */
export async function journalFaults(
  jobs: readonly JobSeen[],
  api: { url(): string; token: string },
): Promise<string[]> {
  let wrong: string[] = [];
  await eventually(
    async () => (wrong = wrongInJournal(jobs, await listEnded(api))),
    (all) => all.length === 0,
    WITHIN_MS,
  ).catch(() => undefined);
  return wrong;
}

async function listEnded({ url, token }: { url(): string; token: string }): Promise<Listed[]> {
  const items: Listed[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ status: 'ended', limit: '100', ...(cursor !== null && { cursor }) });
    const answer = await fetch(`${url()}/v1/executions?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.status !== 200) throw new Error(`executions: ${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as { items: Listed[]; nextCursor: string | null };
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}
