/**
 * An `at` job that releases an album at an exact time, neither early nor noticeably late. Retries stop after
 * a minute, since a release an hour late is of no use.
 */
import { example, say, startTarget, until } from './example';

example(async (client) => {
  const releaseAt = new Date(Date.now() + 4_000);
  let arrivedMs = 0;
  const site = await startTarget(client, () => {
    arrivedMs = Date.now();
  });
  try {
    const { jobId } = await client.jobs.create({
      name: 'Album release',
      schedule: { type: 'at', at: releaseAt.toISOString() },
      target: { type: 'http', url: site.url },
      payload: { album: 'Quarter Past' },
      priority: 'highest',
      retry: { maxAttempts: 10, initialDelay: '1s', maxDelay: '5s', maxAge: '1m' },
    });
    say(`job ${jobId} will release it at ${releaseAt.toISOString()}`);
    await until('it is released', () => arrivedMs > 0);
    const lateMs = arrivedMs - releaseAt.getTime();
    say(`released ${lateMs} ms late`);
    if (lateMs < 0) throw new Error('released too early');
    await client.jobs.delete(jobId);
  } finally {
    site.stop();
  }
});
