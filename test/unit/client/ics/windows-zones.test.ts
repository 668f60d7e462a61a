import { WINDOWS_TO_IANA_MAP } from 'windows-iana';

import { WINDOWS_ZONES } from '../../../../client/ics/windows-zones';
import { parseTimeZone } from '../../../../lambdas/core/schedule/time-zone';

it('is the table of the Unicode CLDR', () => {
  const expected = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(
    ({ windowsName, iana }) => [windowsName, iana[0]],
  );
  expect(expected.length).toBeGreaterThan(130);
  expect(WINDOWS_ZONES).toEqual(Object.fromEntries(expected));
});

it('names zones that the API and this runtime know', () => {
  for (const name of Object.values(WINDOWS_ZONES)) {
    expect(parseTimeZone(name!).name).toBeDefined();
    expect(() => new Intl.DateTimeFormat('en', { timeZone: name })).not.toThrow();
  }
});
