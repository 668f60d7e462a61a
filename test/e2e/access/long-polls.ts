import type { HttpReply } from './requests';

/** A quarter of the claims that a local run serves at once. */
const SEATS = 12;

/** Waiting claims of one project hold their part of the processes alone, and are all answered. */
export async function longPolls(claim: (project: string, wait: string) => Promise<HttpReply>): Promise<void> {
  let waiting = 0;
  const polls = Array.from({ length: 28 }, async () => {
    waiting += 1;
    const answer = await claim('bob', '20s');
    waiting -= 1;
    return answer;
  });
  expect(await claim('ann', '0s')).toMatchObject({ status: 200, body: { work: [] } });
  expect(waiting).toBeGreaterThan(0);
  const answers = await Promise.all(polls);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(({ body }) => body.retryAfter === undefined)).toHaveLength(SEATS);
}
