/**
 * Something is released at an instant, not before and not noticeably after: an `at` job. Retries are for a minute at the
 * most, since nobody wants a release an hour late.
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
    say(`released at ${releaseAt.toISOString()}, by job ${jobId}`);
    await until('it is released', () => arrivedMs > 0);
    const lateMs = arrivedMs - releaseAt.getTime();
    say(`released ${lateMs} ms after its time`);
    if (lateMs < 0) throw new Error('released before its time');
    await client.jobs.delete(jobId);
  } finally {
    site.stop();
  }
});
