/**
 * A `cron` job that computes a leaderboard every two hours, in the players' time zone. Shows its next times,
 * and a manual run in between.
 */
import { example, say, startTarget } from './example';

example(async (client) => {
  const game = await startTarget(client, (delivery) => {
    say(`leaderboard computed, as of ${delivery.dueAt.toISOString()}`);
  });
  try {
    await client.jobs.put('leaderboard', {
      name: 'Leaderboard of the season',
      schedule: { type: 'cron', expression: '0 */2 * * *', timezone: 'Asia/Tokyo' },
      target: { type: 'http', url: game.url },
      // Two at the same time would only slow each other down.
      overlap: 'skip',
    });
    for (const { at, local } of await client.jobs.upcoming('leaderboard', 3)) say(`next at ${local} (${at})`);

    say('the season has ended: running once more, now');
    const { execId } = await client.jobs.run('leaderboard', { payload: { season: 'ended' } });
    const { status, trigger, latenessMs } = await client.executions.wait('leaderboard', execId, {
      timeoutMs: 60_000,
    });
    say(`${trigger} run ${status}, ${latenessMs} ms after the request`);
    if (status !== 'succeeded') throw new Error(`the run ${status}`);
    await client.jobs.delete('leaderboard');
  } finally {
    game.stop();
  }
});
