import { generateSecret } from '../../../../local/services/secrets-manager';
import { SecretGenerator } from '../../../../local/template/types/secrets-manager';

const generate = (options: object) => generateSecret(SecretGenerator.parse(options));

test('a secret has the requested length and a character of each kind', () => {
  for (let times = 0; times < 50; times++) {
    const secret = generate({ PasswordLength: 8 });
    expect(secret).toHaveLength(8);
    for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/]) expect(secret).toMatch(kind);
  }
});

test('a secret has no excluded characters', () => {
  const options = {
    PasswordLength: 500,
    ExcludePunctuation: true,
    ExcludeUppercase: true,
    ExcludeCharacters: 'abc0',
  };
  expect(generate(options)).toMatch(/^[d-z1-9]{500}$/);
});

test('a secret with a template is inserted under its key', () => {
  const secret = generate({ SecretStringTemplate: '{"user":"u"}', GenerateStringKey: 'password' });
  expect(JSON.parse(secret)).toEqual({ user: 'u', password: expect.stringMatching(/^.{32}$/) });
});

test('two secrets differ', () => expect(generate({})).not.toBe(generate({})));
