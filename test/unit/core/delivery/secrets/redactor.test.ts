import fc from 'fast-check';

import { NOT_KEPT, Redactor } from '../../../../../lambdas/core/delivery/secrets/redactor';
import { MOST_VIEWS_OF_PLAIN } from '../../../../../lambdas/core/delivery/secrets/spellings';

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

it('hides a secret that a limit cuts', () => {
  fc.assert(
    fc.property(secret, fc.constantFrom(...encodings), fc.nat(300), (value, encode, limit) => {
      const text = 'x'.repeat(250) + '\n' + encode(value).repeat(3);
      const redactor = new Redactor([{ name: 'crm', value }]);
      const read = Buffer.from(text).subarray(0, limit + redactor.marginBytes);
      const kept = redactor.response(read, limit, { isCut: read.length < text.length }).toString();
      expect(kept).toBe(limit > 251 ? `${'x'.repeat(250)}\n${NOT_KEPT}` : text.slice(0, limit));
    }),
  );
});

describe('what is hidden does not tell whether a guess is right', () => {
  const value = 'Sommer2026!';
  const redactor = new Redactor([{ name: 'db', value }]);

  it('at either end of a text, where a part of the secret stands', () => {
    for (let length = 1; length < value.length; length++)
      for (const text of [
        `a ${value.slice(0, length)}`,
        `${value.slice(-length)} b`,
        value.slice(0, length),
      ]) {
        expect(redactor.text(text)).toBe(text);
        expect(redactor.message(text)).toBe(text);
      }
  });

  it('where a response was cut: it loses the margin, whatever is in it', () => {
    for (const tail of [value.slice(0, 8), 'Winter20', 'xxxxxxxx']) {
      const bytes = Buffer.from(`${'-'.repeat(redactor.marginBytes)}${tail}`);
      expect(redactor.response(bytes, 1_000, { isCut: true }).toString()).toBe('--------');
      expect(redactor.response(bytes, 1_000, { isCut: false }).toString()).toBe(bytes.toString());
    }
  });

  const guesses = [value, 'Winter2026!', 'Sommer2025!'];
  const reflections: readonly (readonly [string, (guess: string) => string])[] = [
    ['the guess', (guess) => `no such user: ${guess}`],
    ['the guess in base64', (guess) => `data: ${Buffer.from(`q=${guess}`).toString('base64')}`],
    ['the guess percent-encoded', (guess) => `Cannot GET /${guess.replace('!', '%21')}`],
    ['the guess as HTML', (guess) => `<p>${guess.replace('!', '&#33;')}</p>`],
    ['the guess and the secret', (guess) => JSON.stringify({ body: [guess, 'x'], authorization: value })],
    ['the guess in a line of its own', (guess) => `bad request\n${guess}\nsee the manual`],
    ['the secret alone', () => `authorization: Bearer ${value}`],
    ['neither', () => 'bad request'],
  ];

  it.each(reflections)('where a target repeats %s', (_, reflect) => {
    const shown = guesses.map((guess) =>
      new Redactor([{ name: 'db', value }], [JSON.stringify({ q: [guess, 'x'] })]).message(reflect(guess)),
    );
    expect(new Set(shown).size).toBe(1);
    expect(shown[0]).not.toContain('Sommer');
  });

  it('where a task has repeated it in its output: what the request has said stays', () => {
    const output = (guess: string) =>
      new Redactor([{ name: 'db', value }], [guess]).text(JSON.stringify({ echo: guess }));
    expect(guesses.map(output)).toEqual(guesses.map((echo) => JSON.stringify({ echo })));
    expect(new Redactor([{ name: 'db', value }], ['Winter2026!']).text(value)).toBe('[secret db]');
  });
});

it('keeps the lines of a response that neither repeat the request nor have a secret', () => {
  const redactor = new Redactor(
    [{ name: 'crm', value: 'p4ssw0rd-of-the-crm' }],
    ['{"customer":"Müller & Söhne"}'],
  );
  const text = ['first', 'a p4ssw0rd-of-the-crm', 'third', 'no Müller & Söhne here', 'the customer'].join(
    '\n',
  );
  expect(redactor.message(text)).toBe(['first', NOT_KEPT, 'third', NOT_KEPT, 'the customer'].join('\n'));
});

it('finds a secret with line feeds in lines', () => {
  const redactor = new Redactor([{ name: 'key', value: 'BEGIN\nMIIEvQ\nEND KEY' }]);
  expect(redactor.texts(['a', 'BEGIN', 'MIIEvQ', 'END KEY!', 'ö'])).toEqual([
    ...['a', '[secret key]', '[secret key]', '[secret key]!', 'ö'],
  ]);
});

it('finds base64 that is wrapped into lines', () => {
  const wrapped = Buffer.from(`user:${'p4ssw0rd-of-the-crm'}`)
    .toString('base64')
    .replaceAll(/.{10}/g, '$&\r\n');
  expect(redacted(wrapped, 'p4ssw0rd-of-the-crm')).toBe(`dXNlcj${MARK}`);
});

it('takes no more steps for many long secrets than for one', () => {
  const lines = Array.from({ length: 1_000 }, (_, at) => `line ${at} of aaaaaaaaaaaaaaaa`);
  const stepsWith = (secrets: number) => {
    const values = Array.from({ length: secrets }, (_, at) => ({ name: 'many', value: 'a'.repeat(50) + at }));
    const redactor = new Redactor(values);
    redactor.texts(lines);
    return redactor.steps;
  };
  const bytes = lines.join('\n').length;
  expect(stepsWith(1)).toBeGreaterThan(bytes);
  expect(stepsWith(100)).toBeLessThanOrEqual(2 * MOST_VIEWS_OF_PLAIN * bytes);
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
  const isCut = false;
  expect(new Redactor([]).response(bytes, 2, { isCut })).toEqual(bytes.subarray(0, 2));
  expect(new Redactor([{ name: 'crm', value: 'p4ssw0rd' }]).response(bytes, 3, { isCut })).toEqual(bytes);
});
