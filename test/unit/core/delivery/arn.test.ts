import { arnOf, matchesGlob, parseArn } from '../../../../lambdas/core/delivery/arn';

test.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', 'a*', true],
  ['abc', '*c', true],
  ['abc', 'a*c', true],
  ['ac', 'a*c', true],
  ['a', 'a*a', false],
  ['a-b-c', 'a*b*c', true],
  ['a-c-b', 'a*b*c', false],
  ['a.c', 'a?c', false],
  ['abab', '*ab*ab', true],
  ['ab', '*ab*ab', false],
])('%s and the pattern %s: %s', (text, pattern, expected) => {
  expect(matchesGlob(text, pattern)).toBe(expected);
});

test('a pattern with many stars needs no backtracking', () => {
  expect(matchesGlob('a'.repeat(5_000), `${'a*'.repeat(1_000)}b`)).toBe(false);
});

test.each([
  'arn:aws:sns:eu-central-1:111122223333:orders',
  'arn:aws-cn:lambda:cn-north-1:111122223333:function:f',
  'arn:aws-us-gov:states:us-gov-west-1:111122223333:stateMachine:m',
])('%s is put together again from its parts', (arn) => {
  expect(arnOf(parseArn(arn)!)).toBe(arn);
});
