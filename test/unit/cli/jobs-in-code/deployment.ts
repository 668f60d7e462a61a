import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Ended, Session } from '../terminal-session';

export const EVERY = { schedule: { type: 'interval', every: '1h' } };
export const TARGET = '--target https://app.example.com/jobs';

/** Deploys manifests in the session of the present test, and reads what has become of the jobs. */
export const deployment = (session: () => Session) => ({
  /** Writes a manifest, and deploys it with these flags. */
  deploy(
    jobs: Record<string, object>,
    flags = `${TARGET} --yes`,
    source: string | null = 'shop',
  ): Promise<Ended> {
    const file = join(session().home, 'jobs.manifest.json');
    const list = Object.entries(jobs).map(
      ([jobId, { paused, ...definition }]: [string, { paused?: boolean }]) => ({
        jobId,
        ...(paused !== undefined && { paused }),
        definition,
      }),
    );
    const manifest = { format: 'quarterjack.jobs/1', ...(source !== null && { source }), jobs: list };
    writeFileSync(file, JSON.stringify(manifest));
    return session().run(`deploy ${file} ${flags}`);
  },
  async jobIds(): Promise<string[]> {
    const { stdout } = await session().run('jobs list --json');
    return (JSON.parse(stdout) as { jobId: string }[]).map(({ jobId }) => jobId).toSorted();
  },
  async job(jobId: string): Promise<Record<string, unknown>> {
    return JSON.parse((await session().run(`jobs get ${jobId} --json`)).stdout) as Record<string, unknown>;
  },
});
