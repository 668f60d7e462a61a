import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import {
  MAX_ROTATIONS,
  NEVER_ROTATED,
  rotated,
  signingAlong,
  signingVersions,
} from '../../../../lambdas/core/domain/secret-versions';
import { T0_MS } from '../../../support/factories';

describe('versions that deliveries are signed with', () => {
  test.each<[what: string, version: number, rotatedAt: number[], versions: number[]]>([
    ['never rotated', 1, [], [1]],
    ['rotated now', 2, [0], [2, 1]],
    ['rotated 1 ms less than a day ago', 2, [1 - DAY_MS], [2, 1]],
    ['rotated a day ago', 2, [-DAY_MS], [2]],
    ['rotated twice', 3, [-60_000, 0], [3, 2, 1]],
    ['rotated twice, once within the day', 3, [-DAY_MS, 0], [3, 2]],
  ])('%s', (_, version, rotatedAt, versions) => {
    const secret = { version, rotatedAtMs: rotatedAt.map((ms) => T0_MS + ms) };
    expect(signingVersions(secret, T0_MS)).toEqual(versions);
  });
});

test('each earlier version signs for a day after the rotation that ended it', () => {
  const secret = { version: 3, rotatedAtMs: [T0_MS - 60_000, T0_MS] };
  expect(signingAlong(secret, T0_MS)).toEqual([
    { version: 2, untilMs: T0_MS + DAY_MS },
    { version: 1, untilMs: T0_MS - 60_000 + DAY_MS },
  ]);
});

describe('a rotation', () => {
  test('gives the next version, and forgets rotations of more than a day ago', () => {
    expect(rotated(NEVER_ROTATED, T0_MS, undefined)).toEqual({ version: 2, rotatedAtMs: [T0_MS] });
    const secret = { version: 3, rotatedAtMs: [T0_MS - DAY_MS, T0_MS - 1], keyHash: 'old' };
    expect(rotated(secret, T0_MS, 'new')).toEqual({
      version: 4,
      rotatedAtMs: [T0_MS - 1, T0_MS],
      keyHash: 'new',
    });
  });

  test('is refused after five within a day, until the first of them is a day old', () => {
    const rotatedAtMs = Array.from({ length: MAX_ROTATIONS }, (_, index) => T0_MS + index);
    const secret = { version: 1 + MAX_ROTATIONS, rotatedAtMs };
    expect(rotated({ ...secret, rotatedAtMs: rotatedAtMs.slice(1) }, T0_MS + 10, undefined)).toMatchObject({
      version: 7,
    });
    expect(rotated(secret, T0_MS + 10, undefined)).toEqual({ tooManyUntilMs: T0_MS + DAY_MS });
    expect(rotated(secret, T0_MS + DAY_MS, undefined)).toMatchObject({ version: 7 });
  });
});
