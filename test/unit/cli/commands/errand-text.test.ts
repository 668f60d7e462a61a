import { FAILED } from '../failed-execution';
import { Session } from '../terminal-session';

/* What `executions show` says of work of AWS. */

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const ATTEMPT = {
  ...{ attempt: 1, fence: 1, target: 0, outcome: 'fatal', statusCode: null, error: 'no' },
  ...{ startedAt: '2026-12-01T09:00:00.000Z', finishedAt: '2026-12-01T09:00:04.000Z' },
};
/** The response for a job that was deleted. */
const gone = () => new Response('{}', { status: 404 });

test('an execution says which state machine works for it, with the link to it', async () => {
  const errand = {
    type: 'stepfunctions',
    state: 'watched',
    name: 'qj-1',
    id: 'arn:x',
    consoleUrl: 'https://y',
  };
  session.instead.push(gone(), new Response(JSON.stringify({ ...FAILED, status: 'running', errand })));
  const { stdout } = await session.run('executions show a 20261201T090000.000Z');
  expect(stdout).toMatch(/runs at +arn:x \(watched\)\nAWS console +https:\/\/y\n/);
});

test('the steps of a durable function are shown with the time that each took', async () => {
  const steps = [
    {
      ...{ name: 'reserve', state: 'succeeded' },
      ...{ startedAt: '2026-12-01T09:00:01.000Z', endedAt: '2026-12-01T09:00:03.000Z' },
    },
    { name: 'pay', state: 'open', startedAt: '2026-12-01T09:00:03.000Z' },
  ];
  const attempts = [{ ...ATTEMPT, errand: { type: 'durable', steps } }];
  session.instead.push(gone(), new Response(JSON.stringify({ ...FAILED, attempts })));
  const { stdout } = await session.run('executions show a 20261201T090000.000Z');
  expect(stdout).toMatch(/steps +reserve succeeded \(2\.?0* s\), pay open\n/);
});

test('work of AWS that its service does not tell of is shown with what that answers', async () => {
  const trouble = { error: 'AccessDenied:\nmay not ask', since: '2026-12-01T09:05:00.000Z' };
  const errand = { type: 'ecs', state: 'watched', name: 'qj-1', trouble };
  session.instead.push(gone(), new Response(JSON.stringify({ ...FAILED, status: 'running', errand })));
  const { stdout } = await session.run('executions show a 20261201T090000.000Z');
  expect(stdout).toMatch(/trouble +AccessDenied: may not ask \(since 2026-12-01 09:05:00Z\)\n/);
});
