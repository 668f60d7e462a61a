import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { denialMessage } from '../iam/access';
import type { SecretSpec } from '../template/stack';
import type { SecretGenerator } from '../template/types/secrets-manager';
import { type AwsService, awsError, awsJson } from './aws-call';

const CHARACTERS = {
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  numbers: '0123456789',
  punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
};

/**
 * Starts the embedded Secrets Manager with `GetSecretValue`. Secrets that the template generates are created
 * once, and kept in `secrets.json` of the data directory, readable only by its owner.
 */
export function startSecretsManager(specs: SecretSpec[], dataDir: string): AwsService {
  const generated = generateMissing(specs, join(dataDir, 'secrets.json'));
  return {
    targetPrefix: 'secretsmanager.',
    async call({ action, body }) {
      if (action !== 'GetSecretValue')
        return awsError(
          400,
          'UnknownOperationException',
          `The local run does not support secretsmanager.${action}`,
        );
      const { SecretId } = JSON.parse(body) as { SecretId?: string };
      const spec = specs.find(({ arn, name }) => SecretId === arn || SecretId === name);
      const SecretString = spec?.value ?? (spec && generated[spec.logicalId]);
      if (!spec || SecretString === undefined)
        return awsError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      const { arn: ARN, name: Name } = spec;
      const VersionId = '00000000-0000-4000-8000-000000000001';
      return awsJson({ ARN, Name, SecretString, VersionId, VersionStages: ['AWSCURRENT'] }, '1.1');
    },
    permissions({ action, body }) {
      const { SecretId } = JSON.parse(body) as { SecretId?: string };
      const secret = specs.find(({ arn, name }) => SecretId === arn || SecretId === name);
      // For an unknown secret, the requested id: the denial then does not reveal whether the secret exists.
      return [{ action: `secretsmanager:${action}`, resource: secret?.arn ?? String(SecretId) }];
    },
    denied: (denial) => awsError(400, 'AccessDeniedException', denialMessage(denial)),
    async stop() {},
  };
}

/** Returns the generated secrets by logical id. Creates and saves those that `file` does not have. */
function generateMissing(specs: readonly SecretSpec[], file: string): Record<string, string> {
  const secrets = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const missing = specs.filter(({ logicalId, generate }) => generate && !Object.hasOwn(secrets, logicalId));
  if (missing.length === 0) return secrets;
  for (const { logicalId, generate } of missing) if (generate) secrets[logicalId] = generateSecret(generate);
  writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
  return secrets;
}

/** Generates a value by the properties of `GenerateSecretString`. */
export function generateSecret(options: SecretGenerator): string {
  const allowed = (characters: string): string =>
    characters
      .split('')
      .filter((character) => !options.ExcludeCharacters.includes(character))
      .join('');
  const kinds = [
    options.ExcludeLowercase ? '' : allowed(CHARACTERS.lowercase),
    options.ExcludeUppercase ? '' : allowed(CHARACTERS.uppercase),
    options.ExcludeNumbers ? '' : allowed(CHARACTERS.numbers),
    options.ExcludePunctuation ? '' : allowed(CHARACTERS.punctuation),
    options.IncludeSpace ? ' ' : '',
  ].filter((kind) => kind !== '');

  const pick = (from: string): string => from[randomInt(from.length)] as string;
  const picked = options.RequireEachIncludedType ? kinds.slice(0, options.PasswordLength).map(pick) : [];
  while (picked.length < options.PasswordLength) picked.push(pick(kinds.join('')));
  // Shuffled, because the first characters are one of each kind.
  for (let index = picked.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    [picked[index], picked[other]] = [picked[other] as string, picked[index] as string];
  }
  const password = picked.join('');
  if (options.SecretStringTemplate === undefined || options.GenerateStringKey === undefined) return password;
  const template = JSON.parse(options.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...template, [options.GenerateStringKey]: password });
}
