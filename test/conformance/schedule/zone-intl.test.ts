import fc from 'fast-check';

import { localText } from '../../../lambdas/core/schedule/instant';
import { zoneFrom, zoneOf } from '../../../lambdas/core/schedule/zone';
import { zoneNames } from '../../../lambdas/core/schedule/zone-names';
import { intlOffset } from '../../support/intl-offset';

describe('a zone', () => {
  it('agrees with Intl about any second', () => {
    const instant = fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2200, 0, 1) / 1000 });
    fc.assert(
      fc.property(fc.constantFrom(...zoneNames()), instant, (name, sec) => {
        const format = new Intl.DateTimeFormat('sv-SE', {
          timeZone: name,
          dateStyle: 'short',
          timeStyle: 'medium',
        });
        const { startSec, endSec } = zoneOf(name).segmentAt(sec);
        for (const at of [sec, startSec - 1, startSec, endSec - 1, endSec].filter(Number.isFinite)) {
          expect(localText(at * 1000, zoneOf(name)).slice(0, 19)).toBe(
            format.format(at * 1000).replace(' ', 'T'),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('agrees with Intl in the far future, where one year of each kind is read', () => {
    const TEN_DAYS_SEC = 10 * 86_400;
    Intl.supportedValuesOf('timeZone').forEach((name, index) => {
      const zone = zoneFrom(name, intlOffset(name));
      const offsetAt = intlOffset(name);
      const years = [2038 + (index % 62), 2066, 2087, 2100 + ((index * 37) % 7_800)];
      for (const year of years) {
        const fromSec = Date.UTC(year, 0, 1) / 1000 - 1;
        const untilSec = Date.UTC(year + 1, 0, 1) / 1000;
        const ends: number[] = [];
        for (let sec = fromSec; sec < untilSec; sec = zone.segmentAt(sec).endSec) {
          const { startSec, endSec } = zone.segmentAt(sec);
          ends.push(startSec - 1, startSec, endSec - 1, endSec);
        }
        for (let sec = fromSec; sec <= untilSec; sec += TEN_DAYS_SEC) ends.push(sec);
        const wrong = ends.filter((sec) => zone.segmentAt(sec).offsetSec !== offsetAt(sec));
        expect({ name, year, wrong }).toEqual({ name, year, wrong: [] });
      }
    });
  });
});
