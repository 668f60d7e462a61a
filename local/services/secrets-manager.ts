import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { refusalMessage } from '../iam/access';
import type { SecretSpec } from '../template/stack';
import type { SecretGenerator } from '../template/types/secrets-manager';
import { type AwsService, awsError } from './aws-call';

const CHARACTERS = {
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  numbers: '0123456789',
  punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
};

/**
 * Starts the embedded Secrets Manager, which answers `GetSecretValue`. What the template has generated is made once
 * and kept in `secrets.json` of the data directory, readable by its owner alone.
 */
export function startSecretsManager(specs: SecretSpec[], dataDir: string): AwsService {
  const file = join(dataDir, 'secrets.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const missing = specs.filter(({ logicalId, generate }) => generate && !Object.hasOwn(kept, logicalId));
  if (missing.length > 0) {
    for (const { logicalId, generate } of missing) if (generate) kept[logicalId] = generateSecret(generate);
    writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
    chmodSync(`${file}.new`, 0o600);
    renameSync(`${file}.new`, file);
  }

  return {
    targetPrefix: 'secretsmanager.',
    async call({ action, body }) {
      if (action !== 'GetSecretValue')
        return awsError(
          400,
          'UnknownOperationException',
          `The local run does not know secretsmanager.${action}`,
        );
      const { SecretId } = JSON.parse(body) as { SecretId?: string };
      const spec = specs.find(({ arn, name }) => SecretId === arn || SecretId === name);
      const SecretString = spec?.value ?? (spec && kept[spec.logicalId]);
      if (!spec || SecretString === undefined)
        return awsError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      return {
        status: 200,
        headers: { 'content-type': 'application/x-amz-json-1.1' },
        body: JSON.stringify({
          ARN: spec.arn,
          Name: spec.name,
          SecretString,
          VersionId: '00000000-0000-4000-8000-000000000001',
          VersionStages: ['AWSCURRENT'],
        }),
      };
    },
    permissions({ action, body }) {
      const { SecretId } = JSON.parse(body) as { SecretId?: string };
      const secret = specs.find(({ arn, name }) => SecretId === arn || SecretId === name);
      // A secret that does not exist is refused under the id that was asked for, so that nobody learns of it.
      return [{ action: `secretsmanager:${action}`, resource: secret?.arn ?? String(SecretId) }];
    },
    denied: (refusal) => awsError(400, 'AccessDeniedException', refusalMessage(refusal)),
    async stop() {},
  };
}

/** A value as `GenerateSecretString` describes it. */
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
  // One of each kind came first: their places must not be known.
  for (let index = picked.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    [picked[index], picked[other]] = [picked[other] as string, picked[index] as string];
  }
  const password = picked.join('');
  if (options.SecretStringTemplate === undefined || options.GenerateStringKey === undefined) return password;
  const template = JSON.parse(options.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...template, [options.GenerateStringKey]: password });
}
