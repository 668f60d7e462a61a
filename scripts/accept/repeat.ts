/** Pauses between the tries of a request that was answered 503. */
const PAUSES_MS = [500, 2_000, 5_000];

/**
 * The answer of a request. One that says that the outcome is unknown, and asks for a repeat, is no promise
 * that was broken: the request is repeated. Its caller makes sure that a repeat does nothing twice.
 */
export async function repeated<T>(
  ask: () => Promise<T>,
  isUnknown: (answer: T) => boolean,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    const answer = await ask();
    if (!isUnknown(answer)) return answer;
    await sleep(pauseMs);
  }
  return ask();
}
