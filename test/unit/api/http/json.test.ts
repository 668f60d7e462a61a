import { MAX_BODY_BYTES, parseJson } from '../../../../lambdas/api/http/json';
import { ProblemError } from '../../../../lambdas/api/http/problem';

const problemOf = (body: string | Uint8Array): ProblemError => {
  try {
    parseJson(body);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
};

describe('a JSON body', () => {
  it.each([
    ['duplicate keys', '{"a":1,"b":{"a":1},"a":2}', /"a" twice/],
    ['duplicate keys, one of them escaped', '{"a":1,"\\u0061":2}', /"a" twice/],
    ['duplicate keys in a nested object', '[[{"x":[],"x":1}]]', /"x" twice/],
    ['NaN', '{"a":NaN}', /not JSON/],
    ['a number beyond the range', '{"a":1e400}', /beyond the range/],
    ['a number that would lose digits', '[12345678901234567891]', /digits/],
    ['a negative number that would lose digits', '[-9007199254740993]', /digits/],
    ['half of a surrogate pair', '{"a":"\\ud800"}', /surrogate/],
    ['half of a surrogate pair in a key', '{"\\udfff":1}', /surrogate/],
    ['a byte order mark', '\ufeff{}', /not JSON/],
    ['two values', '{} {}', /not JSON/],
    ['a trailing comma', '{"a":1,}', /not JSON/],
    ['a lone quote', '"', /not JSON/],
  ])('is rejected for %s', (_what, body, word) => {
    const problem = problemOf(body);
    expect(problem.status).toBe(400);
    expect(problem.errors).toEqual([{ path: 'body', message: expect.stringMatching(word) as string }]);
  });

  it('is rejected for invalid UTF-8, including overlong forms', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0xef, 0xbb, 0xbf, 0x31],
    ]) {
      expect(problemOf(Uint8Array.from(bytes)).status).toBe(400);
    }
  });

  it('is rejected above 32 levels, before it is parsed', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parseJson(nested(32))).toBeDefined();
    expect(problemOf(nested(33)).message).toMatch(/32 levels/);
    expect(problemOf('{"a":'.repeat(100_000)).message).toMatch(/32 levels/);
    expect(parseJson(JSON.stringify(nested(100)))).toBe(nested(100));
  });

  it('is rejected with 413 if it is too large', () => {
    expect(problemOf(' '.repeat(MAX_BODY_BYTES + 1)).status).toBe(413);
  });

  it('is otherwise read as it was written', () => {
    const text =
      '{"a":[1,-0.5,1e3,1E-7,"\\"[{,\\\\",{}],"b":{"a":[]},"__proto__":{"c":null},"d":"😀\\ud83d\\ude00","":true}';
    expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    for (const number of ['9007199254740991', '123456789012345680000', '1e21', '-0', '0.1']) {
      expect(parseJson(`[${number}]`)).toEqual([Number(number)]);
    }
    expect(parseJson(Buffer.from('"ä"'))).toBe('ä');
    expect(parseJson('')).toBeUndefined();
    expect(parseJson(undefined)).toBeUndefined();
  });
});
