import { localText } from '../../../../lambdas/core/schedule/instant';
import { zoneFrom, zoneOf } from '../../../../lambdas/core/schedule/zone';
import { canonicalZoneName, zoneNames } from '../../../../lambdas/core/schedule/zone-names';
import { intlOffset } from '../../../support/intl-offset';

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
  it('asks little about thousands of years', () => {
    const offsetAt = jest.fn(intlOffset('Europe/Berlin'));
    const zone = zoneFrom('Europe/Berlin', offsetAt);
    for (let year = 2026; year < 9_999; year++) {
      const { offsetSec } = zone.segmentAt(Date.UTC(year, 6, 1) / 1000);
      expect(offsetSec).toBe(7_200);
    }
    expect(offsetAt.mock.calls.length).toBeLessThan(3_000);
  });

  it('finds two changes within a week, in years that the data list', () => {
    const zone = zoneOf('Asia/Gaza');
    const { startSec, endSec } = zone.segmentAt(Date.parse('2040-10-24T00:00:00Z') / 1000);
    expect(endSec - startSec).toBeLessThan(8 * 86_400);
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
