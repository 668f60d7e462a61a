/**
 * A device is asked for a sign of life every 30 seconds: an `interval` job. What was missed is not made up for, and its
 * history says why nothing came.
 */
import { example, say, startTarget, until } from './example';

/** 30 seconds in the field; short here, to be seen. */
const EVERY = '2s';
const BEATS = 3;

example(async (client) => {
  const beats: Date[] = [];
  const device = await startTarget(client, (delivery) => {
    beats.push(delivery.dueAt);
    say(`beat ${beats.length}, due at ${delivery.dueAt.toISOString()}`);
  });
  try {
    await client.jobs.put('heartbeat', {
      schedule: { type: 'interval', every: EVERY },
      target: { type: 'http', url: device.url, timeout: '1s' },
      retry: { maxAttempts: 1 },
      misfire: { policy: 'skip' },
    });
    await until(`${BEATS} beats`, () => beats.length >= BEATS);
    await client.jobs.pause('heartbeat');
    say('paused: the device is being repaired');

    const gaps = beats.slice(1).map((dueAt, index) => dueAt.getTime() - (beats[index] as Date).getTime());
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
