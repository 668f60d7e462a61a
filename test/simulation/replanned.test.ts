import { PROFILES } from './profiles/profiles';
import { simulate } from './simulate';

/** A calendar changes, and the sweeper dies right after it has sent an occurrence that was replanned. */
const SEED = 310_376;

test('the series of a replanned occurrence goes on, although the sweeper dies once it was sent', async () => {
  const { violations } = await simulate(PROFILES.get('calendars')!(SEED));
  expect(violations).toEqual([]);
});
