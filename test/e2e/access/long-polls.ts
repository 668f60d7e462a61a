import type { HttpReply } from './requests';

/** A quarter of the claims that a local run serves at once. */
const SEATS = 12;
const POLLS = 28;

type Claim = (wait: string) => Promise<HttpReply>;

const hasSeat = ({ body }: HttpReply) => body.retryAfter === undefined;

/** Waiting claims of one project hold their part of the processes alone, and are all answered. */
export async function longPolls({ ann, bob }: { ann: Claim; bob: Claim }): Promise<void> {
  let refused = 0;
  let waited = 0;
  let polls: Promise<HttpReply>[] = [];
  await new Promise<void>((allSeatsTaken) => {
    polls = Array.from({ length: POLLS }, async () => {
      const answer = await bob('20s');
      if (hasSeat(answer)) waited += 1;
      else if (++refused === POLLS - SEATS) allSeatsTaken();
      return answer;
    });
  });
  expect(await ann('0s')).toMatchObject({ status: 200, body: { work: [] } });
  expect(waited).toBeLessThan(SEATS);
  const answers = await Promise.all(polls);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(hasSeat)).toHaveLength(SEATS);
}
