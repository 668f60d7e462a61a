import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { putEnded } from '../../api/ended-row';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

function file(text: string): string {
  const path = join(session.home, 'jobs.yaml');
  writeFileSync(path, text);
  return path;
}

describe('a completed job', () => {
  const once = (at: string, paused: string) =>
    `jobs:\n  once:\n    schedule: at(${at})\n    target: { type: http, url: https://example.com/hook }\n${paused}`;

  test('is neither paused nor resumed, but with a new schedule it is as the file says', async () => {
    const { world } = session;
    const dueAtMs = world.clock.nowMs() + 60_000;
    const [first, next] = [dueAtMs, dueAtMs + 86_400_000].map((ms) =>
      new Date(ms).toISOString().slice(0, 19),
    );
    await session.run(`apply --yes ${file(once(first!, ''))}`);
    await world.clock.advance(61_000);
    await putEnded(world, 'once', dueAtMs);
    await session.run('jobs pause once');
    for (const paused of ['    paused: true\n', '    paused: false\n']) {
      const unchanged = await session.run(`plan ${file(once(first!, paused))} --detailed-exitcode`);
      expect(unchanged).toMatchObject({ exitCode: 0 });
    }
    await session.run(`apply --yes ${file(once(next!, '    paused: false\n'))}`);
    expect(await session.json('jobs get once')).toMatchObject({ status: 'active' });
  });
});
