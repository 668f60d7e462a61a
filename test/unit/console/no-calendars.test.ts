import { AllowedTimes as InBundle } from '../../../console/planning/no-calendars';
import { AllowedTimes } from '../../../lambdas/core/schedule/allowed-times';
import { zoneOf } from '../../../lambdas/core/schedule/zone';

const SECS = [0, 86_399, Date.UTC(2026, 2, 29, 1) / 1000, Date.UTC(2400, 1, 29) / 1000];

test('without calendars, the bundle of the console allows what the scheduler allows', () => {
  const scheduler = new AllowedTimes({ exclude: [], only: [] }, zoneOf('Europe/Berlin'));
  const bundle = new InBundle();
  for (const sec of SECS) {
    expect(bundle.isAllowed()).toBe(scheduler.isAllowed(sec));
    expect(bundle.past(sec)).toBe(scheduler.past(sec));
    expect(bundle.searchedUntil(sec)).toBe(scheduler.searchedUntil(sec));
  }
  expect(bundle.openDaysOf()).toBe(scheduler.openDaysOf(2026, 2));
  const days = { firstDay: 20_000, offsetSec: 3_600 };
  expect(bundle.timesOn(days, 3)).toEqual(scheduler.timesOn(days, 3, [1, 2, 3]));
});
