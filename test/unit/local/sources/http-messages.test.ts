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
])('whether a body of type %s is text: %s', (type, isText) => expect(isTextType(type)).toBe(isText));

test('header names are in lower case; repeated headers are joined by commas, cookies by semicolons', () => {
  expect(joinHeaders(['X-A', '1', 'x-a', '2', 'Cookie', 'a=1', 'cookie', 'b=2'])).toEqual({
    'x-a': '1,2',
    cookie: 'a=1; b=2',
  });
});

describe('the result of a function', () => {
  const read = (result: unknown) => {
    const { status, headers, cookies, body } = httpResponse(JSON.stringify(result) as string | undefined);
    return { status, type: headers['content-type'], cookies, body: body.toString() };
  };

  test('with a status determines status, headers, cookies and body', () => {
    const result = { statusCode: 201, headers: { 'Content-Type': 'a/b' }, cookies: ['c=1'], body: 'x' };
    expect(read(result)).toEqual({ status: 201, type: 'a/b', cookies: ['c=1'], body: 'x' });
  });

  test('in base64 is decoded', () => {
    expect(read({ statusCode: 200, body: 'aGk=', isBase64Encoded: true }).body).toBe('hi');
  });

  test.each<[unknown, string]>([
    [{ a: 1 }, '{"a":1}'],
    ['text', 'text'],
    [undefined, 'null'],
  ])('without a status, %j, is the JSON body of a 200', (result, body) => {
    expect(read(result)).toMatchObject({ status: 200, type: 'application/json', body });
  });

  test.each([{ statusCode: 'x' }, { statusCode: 99 }, { statusCode: 200, body: { a: 1 } }])(
    'with invalid fields, %j, becomes a 500',
    (result) => {
      expect(read(result)).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' });
    },
  );
});
