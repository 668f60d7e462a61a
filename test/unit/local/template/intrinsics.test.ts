import { NO_VALUE, type References, resolveIntrinsics } from '../../../../local/template/intrinsics';

const references: References = {
  ref: (name) => ({ Queue: 'http://127.0.0.1:1/q', Nothing: NO_VALUE, 'AWS::Region': 'us-east-1' })[name],
  attribute: (logicalId, name) => `${logicalId}/${name}`,
};
const resolve = (value: unknown) => resolveIntrinsics(value, references, 'Some.Property');

test.each([
  ['Ref', { Ref: 'Queue' }, 'http://127.0.0.1:1/q'],
  ['GetAtt as a list', { 'Fn::GetAtt': ['Role', 'Arn'] }, 'Role/Arn'],
  ['GetAtt as a string', { 'Fn::GetAtt': 'Role.Arn' }, 'Role/Arn'],
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
    'intrinsics inside lists and objects',
    { a: [{ b: { Ref: 'Queue' } }] },
    { a: [{ b: 'http://127.0.0.1:1/q' }] },
  ],
  [
    'NoValue removes its property and its item',
    { a: { Ref: 'Nothing' }, b: [{ Ref: 'Nothing' }, 1] },
    { b: [1] },
  ],
  ['an object that only resembles an intrinsic', { Ref: 'a', other: 1 }, { Ref: 'a', other: 1 }],
])('%s', (_, value, expected) => expect(resolve(value)).toEqual(expected));

test.each(['Fn::ImportValue', 'Fn::If', 'Fn::constructor'])(
  '%s is an error that names it and its path',
  (name) => {
    expect(() => resolve({ a: { [name]: 'x' } })).toThrow(
      `Some.Property.a: the local run does not support the intrinsic ${name}`,
    );
  },
);

test('an argument of the wrong shape is an error', () => {
  expect(() => resolve({ 'Fn::Join': ['-', 'ab'] })).toThrow(
    'Some.Property: an intrinsic expects a list, not "ab"',
  );
  expect(() => resolve({ 'Fn::Select': [3, ['a']] })).toThrow('Fn::Select selects item 3 of 1');
  expect(() => resolve({ 'Fn::Join': ['-', [{}]] })).toThrow('expects a string, not {}');
});
