/**
 * An `interval` job that polls a device every 30 seconds. Missed polls are skipped, not caught up, and the
 * history gives the reason.
 */
import { example, say, startTarget, until } from './example';

/** 30 seconds in production. Short here, so that the example ends soon. */
const EVERY = '2s';
const POLLS = 3;

example(async (client) => {
  const polls: Date[] = [];
  const device = await startTarget(client, (delivery) => {
    polls.push(delivery.dueAt);
    say(`poll ${polls.length}, due at ${delivery.dueAt.toISOString()}`);
  });
  try {
    await client.jobs.put('heartbeat', {
      schedule: { type: 'interval', every: EVERY },
      target: { type: 'http', url: device.url, timeout: '1s' },
      retry: { maxAttempts: 1 },
      misfire: { policy: 'skip' },
    });
    await until(`${POLLS} polls`, () => polls.length >= POLLS);
    await client.jobs.pause('heartbeat');
    say('paused: the device is being repaired');

    const gaps = polls.slice(1).map((dueAt, index) => dueAt.getTime() - (polls[index] as Date).getTime());
    if (gaps.some((gapMs) => gapMs !== 2_000)) throw new Error(`due ${gaps.join()} ms apart, not ${EVERY}`);
    for await (const { dueAt, status, latenessMs } of client.executions.list('heartbeat', {
      status: 'succeeded',
    }))
      say(`${dueAt} ${status}, ${latenessMs} ms late`);
    await client.jobs.delete('heartbeat');
  } finally {
    device.stop();
  }
});
