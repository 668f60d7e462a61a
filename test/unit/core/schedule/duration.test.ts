import { parseDuration, parsePeriod } from '../../../../lambdas/core/schedule/duration';

describe('durations', () => {
  it.each([
    ['0s', 0],
    ['30s', 30_000],
    ['10m', 600_000],
    ['36h', 129_600_000],
    ['7d', 604_800_000],
    ['1h30m', 5_400_000],
    ['1d12h', 129_600_000],
    ['2d3h4m5s', 183_845_000],
    ['PT30S', 30_000],
    ['PT1H30M', 5_400_000],
    ['P1DT12H', 129_600_000],
    ['P2W', 1_209_600_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    '',
    '30',
    's',
    '-5s',
    '+5s',
    '1.5h',
    '1e9s',
    '5 s',
    '5S',
    '30sec',
    '30m1h',
    '1h1h',
    '1h 30m',
    '1h30',
    'P',
    'PT',
    'P1DT',
    'P1H',
    'PT5',
    'p1d',
    '٣s',
    '36526d',
    '999999999999d',
    'P1M',
    'P1Y',
  ])('%j is none', (text) => {
    expect(() => parseDuration(text)).toThrow(expect.objectContaining({ name: 'DurationError' }));
    expect(() => parseDuration(text)).toThrow(JSON.stringify(text));
  });

  it('count in months where a calendar is at hand, and never mix', () => {
    expect(parsePeriod('P1M')).toEqual({ months: 1 });
    expect(parsePeriod('P1Y6M')).toEqual({ months: 18 });
    expect(parsePeriod('PT1M')).toEqual({ ms: 60_000 });
    expect(() => parsePeriod('P1M1D')).toThrow('mixes months');
    expect(() => parsePeriod('P101Y')).toThrow('too long');
  });
});
