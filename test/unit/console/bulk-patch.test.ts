import { isTag, patchOf } from '../../../console/pages/jobs/bulk-patch';

describe('a change of many jobs', () => {
  test.each([
    ['Spread', '5m', { schedule: { jitter: '5m' } }],
    ['Spread', '', { schedule: { jitter: null } }],
    ['Tag', 'team:billing', { tags: { team: 'billing' } }],
    ['Tag', 'window:09:30', { tags: { window: '09:30' } }],
    ['Tag', 'team:', { tags: { team: null } }],
  ] as const)('%s %j', (action, typed, patch) => {
    expect(patchOf(action, typed)).toEqual(patch);
  });

  test.each([
    ['team:billing', true],
    ['team:', true],
    ['team', false], // it would remove the tag from all of them
    [':billing', false],
    ['', false],
  ])('%j is a tag: %s', (typed, expected) => {
    expect(isTag(typed)).toBe(expected);
  });
});
