import { CLIENT_PEM } from '../../client-pem';
import { T0_MS } from '../../../support/factories';
import type { FakeRandom } from '../../../support/fake-random';
import { MINUTE_MS } from '../draws';
import { type Body, given, maybe } from './drawn';
import { HOST, PEM_SECRET, SECRET } from './draw-target';

/** What the jobs of a project name: calendars, concurrency keys, secrets, notifications. */

const SECOND_MS = 1_000;

const local = (ms: number): string => new Date(T0_MS + ms).toISOString().slice(0, 19);

export const drawCalendar = (random: FakeRandom): Body => ({
  timezone: 'UTC',
  ...(random.fraction() < 0.3 && { weekdays: random.pick([['TUE'], ['TUE', 'WED'], ['SAT', 'SUN']]) }),
  dates: Array.from({ length: random.between(0, 3) }, () => {
    const fromMs = random.between(0, 12) * MINUTE_MS;
    return { from: local(fromMs), to: local(fromMs + random.between(20, 240) * SECOND_MS) };
  }),
});

export const drawKey = (random: FakeRandom): Body =>
  given({
    limit: random.between(1, 3),
    rate: maybe(random, 0.3, () => ({ limit: random.between(2, 4), per: random.pick(['30s', '1m']) })),
  });

export const SECRET_BODY = { value: 'a secret of this project', hosts: [HOST] };
const PEM_BODY = {
  value: CLIENT_PEM,
  kind: 'pem',
  hosts: [HOST],
};
/** All secrets of the project. */
export const SECRETS: readonly (readonly [name: string, body: Body])[] = [
  [SECRET, SECRET_BODY],
  [PEM_SECRET, PEM_BODY],
];
/** The id of the notification that users change and remove. */
export const NOTIFICATION = 'ops';
export const NOTIFICATION_BODY = {
  on: ['failed', 'skipped', 'late', 'recovered'],
  lateAfter: '2m',
  minInterval: '1m',
  target: { type: 'http', url: `https://${HOST}/alerts` },
};
