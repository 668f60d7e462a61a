import type { HttpReply } from './requests';

/** A quarter of the claims that a local run serves at once. */
const SEATS = 12;
/** One finds no seat. There are no more, because each poll at the same time starts a process. */
const POLLS = SEATS + 1;
/** On a busy machine the first polls may be over before the last one comes. As workers do, they ask again. */
const MOST_TRIES = 5;

type Claim = (wait: string) => Promise<HttpReply>;

const isRefused = ({ body }: HttpReply) => body.retryAfter !== undefined;

/** Waiting claims of one project hold their part of the processes alone, and are all answered. */
export async function longPolls({ ann, bob }: { ann: Claim; bob: Claim }): Promise<void> {
  const answers: HttpReply[] = [];
  let isOver = false;
  let polls = Promise.resolve<unknown>(undefined);
  const refused = new Promise<void>((allSeatsTaken) => {
    const poll = async (): Promise<void> => {
      for (let tries = 0; tries < MOST_TRIES && !isOver; tries++) {
        const answer = await bob('20s');
        answers.push(answer);
        if (isRefused(answer)) return allSeatsTaken();
      }
    };
    polls = Promise.all(Array.from({ length: POLLS }, poll));
  });
  await Promise.race([refused, polls]);
  const answer = await ann('1s'); // a claim that waits too, on a seat of its own project
  isOver = true;
  expect(answer).toMatchObject({ status: 200, body: { work: [] } });
  expect(isRefused(answer)).toBe(false);
  await polls;
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(isRefused)).toHaveLength(POLLS - SEATS);
}
