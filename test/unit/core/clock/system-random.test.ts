import { systemRandom } from '../../../../lambdas/core/clock/system-random';

describe('randomness', () => {
  it('gives fractions all over [0, 1), none of them twice', () => {
    const drawn = Array.from({ length: 5_000 }, () => systemRandom.fraction());
    expect(new Set(drawn).size).toBeGreaterThan(4_990); // 32 bits: a pair may meet
    expect(Math.min(...drawn)).toBeLessThan(0.01);
    expect(Math.max(...drawn)).toBeGreaterThan(0.99);
    expect(drawn.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
  });

  it('gives ids of 26 letters and digits that never come again', () => {
    const ids = Array.from({ length: 5_000 }, () => systemRandom.id());
    expect(new Set(ids).size).toBe(5_000);
    expect(ids.every((id) => /^[a-z0-5]{26}$/.test(id))).toBe(true);
  });
});
