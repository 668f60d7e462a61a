import fc from 'fast-check';

import { Redactor } from '../../../../../lambdas/core/delivery/secrets/redactor';

const redacted = (text: string, value: string): string => new Redactor([{ name: 'crm', value }]).text(text);
const MARK = '[secret crm]';

describe('a secret in a text is replaced', () => {
  const value = 'p"a/s s&w+ö%7B\\n';
  const inBase64 = (before: string) => Buffer.from(`${before}${value}:rest`).toString('base64');

  it.each([
    ['as it is', `got ${value}!`],
    ['as JSON', JSON.stringify({ echo: value })],
    [
      'as JSON with escaped slashes and letters',
      JSON.stringify(value).replace('/', '\\/').replace('ö', '\\u00F6'),
    ],
    [
      'with all characters as \\u',
      Array.from(value, (c) => `\\u${c.codePointAt(0)!.toString(16).padStart(4, '0')}`).join(''),
    ],
    ['as a component of a URL', `?q=${encodeURIComponent(value)}`],
    [
      'as a component of a URL, in lower case',
      `?q=${encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase())}`,
    ],
    ['as a form', new URLSearchParams({ q: value }).toString()],
    ['with every byte percent-encoded', Buffer.from(value).toString('hex').replaceAll(/../g, '%$&')],
    ['in JSON in JSON', JSON.stringify({ log: JSON.stringify({ echo: value }) })],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(value))],
  ])('%s', (_, text) => {
    const result = redacted(text, value);
    expect(result).toContain(MARK);
    expect(result).not.toContain('a/s');
    expect(result).not.toContain('w%2B');
  });

  it.each(['', 'a', 'ab', 'abc'])('in base64 after %j', (before) => {
    for (const text of [
      inBase64(before),
      inBase64(before).replaceAll('+', '-').replaceAll('/', '_'),
      encodeURIComponent(inBase64(before)),
      JSON.stringify(inBase64(before)).replaceAll('/', '\\/'),
    ]) {
      const result = redacted(`Authorization: Basic ${text}`, value);
      expect(result).toContain(MARK);
      expect(Buffer.from(result.split('Basic ')[1]!, 'base64').toString()).not.toContain('a/s');
    }
  });

  it('as a client of OAuth encodes it: as a form, then in base64', () => {
    const form = new URLSearchParams([['', value]]).toString().slice(1);
    expect(redacted(`Basic ${Buffer.from(`client:${form}`).toString('base64')}`, value)).toContain(MARK);
  });
});

const secret = fc
  .string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
  .filter((text) => !/\p{Surrogate}/u.test(text));
const MARKS = ['.', ',', ':', ';', '!'];
const plain = fc.string({ maxLength: 30, unit: fc.constantFrom(...MARKS) });
const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  encodeURIComponent,
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
];

it('leaves the text around a secret as it is', () => {
  fc.assert(
    fc.property(
      secret,
      plain,
      plain,
      fc.constantFrom(...encodings.slice(0, 4)),
      (value, before, after, encode) => {
        fc.pre(!MARKS.some((mark) => value.startsWith(mark) || value.endsWith(mark)));
        expect(redacted(before + encode(value) + after, value)).toBe(before + MARK + after);
      },
    ),
  );
});

it('hides a secret in base64 whatever stands before and after it', () => {
  fc.assert(
    fc.property(
      secret,
      fc.string(),
      fc.string(),
      fc.constantFrom('base64', 'base64url'),
      (value, ...rest) => {
        const [before, after, encoding] = rest;
        const text = Buffer.from(before + value + after).toString(encoding as 'base64');
        const result = redacted(text, value);
        expect(result).toContain(MARK);
        // of the secret, at most bits of its first and last byte are left
        const kept = result.split(MARK).join('');
        expect(kept.length).toBeLessThanOrEqual(
          text.length - Math.floor((Buffer.byteLength(value) * 8) / 6) + 1,
        );
      },
    ),
  );
});

it('hides a secret that a limit or a target cuts', () => {
  fc.assert(
    fc.property(secret, fc.constantFrom(...encodings), fc.nat(300), (value, encode, limit) => {
      const spelled = encode(value);
      const text = 'x'.repeat(250) + spelled.repeat(3);
      const redactor = new Redactor([{ name: 'crm', value }]);
      const read = Buffer.from(text).subarray(0, limit + redactor.marginBytes);
      const kept = redactor.bytes(read, limit).toString();
      for (let length = Math.ceil(spelled.length / 2); length <= spelled.length; length++)
        if (length >= 6) expect(kept.replaceAll(MARK, '')).not.toContain(spelled.slice(0, length));
    }),
  );
});

it('hides half of a secret at the end of a text', () => {
  expect(redacted('the key is p4ssw', 'p4ssw0rd')).toBe(`the key is ${MARK}`);
  expect(redacted('the key is p4s', 'p4ssw0rd')).toBe('the key is p4s');
});

it('names each of several secrets, also where they touch or one has the other in it', () => {
  const redactor = new Redactor([
    { name: 'user', value: 'alice@example' },
    { name: 'password', value: 'alice@example-secret' },
  ]);
  expect(redactor.text('alice@example-secret alice@example')).toBe('[secret password] [secret user]');
  const basic = Buffer.from('alice@example:alice@example-secret').toString('base64');
  expect(redactor.text(basic)).toMatch(/^\[secret user\].?\[secret password\]=*$/);
});

it('hides the path of a secret that is a URL', () => {
  const value = 'https://hooks.example.com/services/T0001/B0001/XyZ123456789';
  expect(redacted('Cannot POST /services/T0001/B0001/XyZ123456789', value)).toBe(`Cannot POST ${MARK}`);
  expect(redacted('no hook XyZ123456789', value)).toBe(`no hook ${MARK}`);
});

it('changes nothing without secrets, also bytes that are no text', () => {
  const bytes = Buffer.from([0xff, 0x00, 0xc3]);
  expect(new Redactor([]).bytes(bytes, 2)).toEqual(bytes.subarray(0, 2));
  expect(new Redactor([{ name: 'crm', value: 'p4ssw0rd' }]).bytes(bytes)).toEqual(bytes);
});
