import { isTextType, joinHeaders } from '../../../../local/sources/http-event';
import { httpResponse } from '../../../../local/sources/http-response';

test.each([
  ['application/json; charset=utf-8', true],
  ['text/csv', true],
  ['APPLICATION/XML', true],
  ['application/javascript', true],
  ['application/merge-patch+json', false],
  ['application/x-www-form-urlencoded', false],
  ['application/octet-stream', false],
  [undefined, false],
])('a body of type %s is text: %s', (type, isText) => expect(isTextType(type)).toBe(isText));

test('header names are lower case; equal ones are joined by commas, cookies by semicolons', () => {
  expect(joinHeaders(['X-A', '1', 'x-a', '2', 'Cookie', 'a=1', 'cookie', 'b=2'])).toEqual({
    'x-a': '1,2',
    cookie: 'a=1; b=2',
  });
});

describe('a function that answers', () => {
  const read = (answer: unknown) => {
    const { status, headers, cookies, body } = httpResponse(JSON.stringify(answer) as string | undefined);
    return { status, type: headers['content-type'], cookies, body: body.toString() };
  };

  test('with a status gives it, with headers, cookies and body', () => {
    const answer = { statusCode: 201, headers: { 'Content-Type': 'a/b' }, cookies: ['c=1'], body: 'x' };
    expect(read(answer)).toEqual({ status: 201, type: 'a/b', cookies: ['c=1'], body: 'x' });
  });

  test('in base64 gives the bytes', () => {
    expect(read({ statusCode: 200, body: 'aGk=', isBase64Encoded: true }).body).toBe('hi');
  });

  test.each<[unknown, string]>([
    [{ a: 1 }, '{"a":1}'],
    ['text', 'text'],
    [undefined, 'null'],
  ])('without a status, %j, gives 200 and that as JSON', (answer, body) => {
    expect(read(answer)).toMatchObject({ status: 200, type: 'application/json', body });
  });

  test.each([{ statusCode: 'x' }, { statusCode: 99 }, { statusCode: 200, body: { a: 1 } }])(
    'with nonsense, %j, gives 500',
    (answer) => {
      expect(read(answer)).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' });
    },
  );
});
