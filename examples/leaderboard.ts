/**
 * A leaderboard is worked out every two hours, by the players' clock: a `cron` job, its next times, and a run in between.
 */
import { example, say, startTarget } from './example';

example(async (client) => {
  const game = await startTarget(client, (delivery) => {
    say(`worked out, as of ${delivery.dueAt.toISOString()}`);
  });
  try {
    await client.jobs.put('leaderboard', {
      name: 'Leaderboard of the season',
      schedule: { type: 'cron', expression: '0 */2 * * *', timezone: 'Asia/Tokyo' },
      target: { type: 'http', url: game.url },
      // Two at once would only take each other's time.
      overlap: 'skip',
    });
    for (const { at, local } of await client.jobs.upcoming('leaderboard', 3)) say(`next at ${local} (${at})`);

    say('a season has ended: once more, now');
    const { execId } = await client.jobs.run('leaderboard', { payload: { season: 'ended' } });
    const { status, trigger, latenessMs } = await client.executions.wait('leaderboard', execId, {
      timeoutMs: 60_000,
    });
    say(`${trigger} run ${status}, ${latenessMs} ms after it was asked for`);
    if (status !== 'succeeded') throw new Error(`the run ${status}`);
    await client.jobs.delete('leaderboard');
  } finally {
    game.stop();
  }
});
