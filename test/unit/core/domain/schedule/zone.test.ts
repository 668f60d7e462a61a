import fc from 'fast-check';

import { localText } from '../../../../../lambdas/core/domain/schedule/instant';
import { zoneOf } from '../../../../../lambdas/core/domain/schedule/zone';
import { canonicalZoneName, zoneNames } from '../../../../../lambdas/core/domain/schedule/zone-names';

describe('the list of zones', () => {
  it('has every zone that this runtime names', () => {
    const known = new Set(zoneNames());
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !known.has(name))).toEqual([]);
  });

  it('has none that this runtime does not know', () => {
    const unknown = zoneNames().filter((name) => {
      try {
        new Intl.DateTimeFormat('en', { timeZone: name });
        return false;
      } catch {
        return true;
      }
    });
    expect(unknown).toEqual([]);
  });

  it('has aliases, old spellings and new ones', () => {
    const wanted = [
      'UTC',
      'US/Pacific',
      'Asia/Calcutta',
      'Asia/Kolkata',
      'Europe/Kiev',
      'Europe/Kyiv',
      'America/Nuuk',
    ];
    expect(wanted.map(canonicalZoneName)).toEqual(wanted);
    expect(canonicalZoneName('eUROPE/bERLIN')).toBe('Europe/Berlin');
  });
});

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

  it('joins its segments without a seam', () => {
    const zone = zoneOf('Africa/Casablanca');
    let segment = zone.segmentAt(Date.UTC(2020, 0, 1) / 1000);
    while (segment.endSec < Date.UTC(2040, 0, 1) / 1000) {
      const following = zone.segmentAt(segment.endSec);
      expect(following).toMatchObject({
        startSec: segment.endSec,
        offsetSec: segment.offsetAfterSec,
        offsetBeforeSec: segment.offsetSec,
      });
      segment = following;
    }
  });

  it('is spelled with its offset, seconds only where there are any', () => {
    expect(localText(Date.parse('2026-03-29T01:00:00Z'), zoneOf('Europe/Berlin'))).toBe(
      '2026-03-29T03:00:00+02:00',
    );
    expect(localText(Date.parse('2026-03-29T01:00:00.250Z'), zoneOf('America/St_Johns'))).toBe(
      '2026-03-28T22:30:00.250-02:30',
    );
    expect(localText(0, zoneOf('Africa/Monrovia'))).toBe('1969-12-31T23:15:30-00:44:30');
  });
});
