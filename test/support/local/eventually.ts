import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until `done` accepts the answer. Throws with the last answer once `limitMs` is over. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  done: (answer: Answer) => boolean,
  limitMs = 10_000,
): Promise<Answer> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (done(answer)) return answer;
    if (performance.now() > untilMs) throw new Error(`still ${JSON.stringify(answer)} after ${limitMs} ms`);
    await sleep(20);
  }
}
