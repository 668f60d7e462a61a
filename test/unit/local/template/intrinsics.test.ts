import { NO_VALUE, type References, resolveIntrinsics } from '../../../../local/template/intrinsics';

const references: References = {
  ref: (name) => ({ Queue: 'http://127.0.0.1:1/q', Nothing: NO_VALUE, 'AWS::Region': 'us-east-1' })[name],
  attribute: (logicalId, name) => `${logicalId}/${name}`,
};
const resolve = (value: unknown) => resolveIntrinsics(value, references, 'Some.Place');

test.each([
  ['Ref', { Ref: 'Queue' }, 'http://127.0.0.1:1/q'],
  ['GetAtt as a list', { 'Fn::GetAtt': ['Role', 'Arn'] }, 'Role/Arn'],
  ['GetAtt as a text', { 'Fn::GetAtt': 'Role.Arn' }, 'Role/Arn'],
  ['GetAtt of a nested attribute', { 'Fn::GetAtt': ['Nested', 'Outputs.Url'] }, 'Nested/Outputs.Url'],
  ['Join with intrinsics inside', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, 1]] }, 'a-us-east-1-1'],
  ['Sub', { 'Fn::Sub': '${AWS::Region}/${Role.Arn}/${!Kept}' }, 'us-east-1/Role/Arn/${Kept}'],
  [
    'Sub with values',
    { 'Fn::Sub': ['${Own}-${AWS::Region}', { Own: { Ref: 'Queue' } }] },
    'http://127.0.0.1:1/q-us-east-1',
  ],
  ['Select of a Split', { 'Fn::Select': [1, { 'Fn::Split': ['/', { Ref: 'Queue' }] }] }, ''],
  [
    'everything inside lists and objects',
    { a: [{ b: { Ref: 'Queue' } }] },
    { a: [{ b: 'http://127.0.0.1:1/q' }] },
  ],
  [
    'NoValue takes its property and its item away',
    { a: { Ref: 'Nothing' }, b: [{ Ref: 'Nothing' }, 1] },
    { b: [1] },
  ],
  ['an object that only looks like one', { Ref: 'a', other: 1 }, { Ref: 'a', other: 1 }],
])('%s', (_, value, expected) => expect(resolve(value)).toEqual(expected));

test.each(['Fn::ImportValue', 'Fn::If', 'Fn::constructor'])(
  '%s is an error that names it and its place',
  (name) => {
    expect(() => resolve({ a: { [name]: 'x' } })).toThrow(
      `Some.Place.a: the local run does not know the intrinsic ${name}`,
    );
  },
);

test('an argument of the wrong shape is an error', () => {
  expect(() => resolve({ 'Fn::Join': ['-', 'ab'] })).toThrow(
    'Some.Place: an intrinsic wants a list, got "ab"',
  );
  expect(() => resolve({ 'Fn::Select': [3, ['a']] })).toThrow('Fn::Select wants item 3 of 1');
  expect(() => resolve({ 'Fn::Join': ['-', [{}]] })).toThrow('wants a text, got {}');
});
