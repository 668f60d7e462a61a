/**
 * Work that takes longer than a request can. The target responds with 202, sends heartbeats while it works,
 * and reports the result at the end. The seconds here could be hours.
 */
import { Attempt } from 'quarterjack';

import { API_URL, example, say, startTarget } from './example';

const FRAMES = 5;

example(async (client) => {
  const working: Promise<void>[] = [];
  const studio = await startTarget(client, (delivery) => {
    const { film } = delivery.json<{ film: string }>();
    const attempt = Attempt.from(delivery, { origin: API_URL });
    if (!attempt) return 400;
    working.push(attempt.run((signal) => encode(film, signal), { everyMs: 500 }).then((done) => say(done)));
    return 202;
  });
  try {
    const { jobId } = await client.jobs.create({
      schedule: { type: 'delay', delay: '1s' },
      target: { type: 'http', url: studio.url, mode: 'async', heartbeatTimeout: '10s' },
      payload: { film: 'The Clock' },
      timeout: '6h',
    });
    const [planned] = await client.executions.list(jobId).toArray();
    if (!planned) throw new Error('the job has no planned execution');
    const { status, result } = await client.executions.wait(jobId, planned.execId, { timeoutMs: 60_000 });
    say(`${status}: ${result?.body}`);
    await Promise.all(working);
    if (status !== 'succeeded') throw new Error(`the execution ${status}`);
    await client.jobs.delete(jobId);
  } finally {
    studio.stop();
  }
});

async function encode(film: string, signal: AbortSignal): Promise<string> {
  for (let frame = 1; frame <= FRAMES; frame++) {
    await new Promise((soon) => setTimeout(soon, 400));
    signal.throwIfAborted();
    say(`${film}: frame ${frame} of ${FRAMES}`);
  }
  return `${film} is encoded`;
}
