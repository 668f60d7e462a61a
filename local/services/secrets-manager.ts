import { randomInt, randomUUID } from 'node:crypto';
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

/** A version of a secret. */
interface Version {
  id: string;
  value: string;
}
/** Versions by logical id, the newest last. A text is a secret that has its first version alone. */
type Secrets = Record<string, string | Version[]>;

const FIRST_VERSION = '00000000-0000-4000-8000-000000000001';

/**
 * Starts the embedded Secrets Manager with `GetSecretValue` and `PutSecretValue`. Secrets that the template
 * generates are created once. They and their later versions are kept in `secrets.json` of the data directory,
 * readable only by its owner.
 */
export function startSecretsManager(specs: SecretSpec[], dataDir: string): AwsService {
  const file = join(dataDir, 'secrets.json');
  const secrets = generateMissing(specs, file);
  const versionsOf = ({ logicalId, value }: SecretSpec): Version[] => {
    const stored = secrets[logicalId] ?? value ?? [];
    return typeof stored === 'string' ? [{ id: FIRST_VERSION, value: stored }] : stored;
  };
  return {
    targetPrefix: 'secretsmanager.',
    async call({ action, body }) {
      const input = JSON.parse(body) as SecretInput;
      const { SecretId, VersionId } = input;
      const spec = specs.find(({ arn, name }) => SecretId === arn || SecretId === name);
      const versions = spec ? versionsOf(spec) : [];
      const { arn: ARN, name: Name, logicalId } = spec ?? { arn: '', name: '', logicalId: '' };
      if (action === 'PutSecretValue' && spec && input.SecretString !== undefined) {
        const added = { id: input.ClientRequestToken ?? randomUUID(), value: input.SecretString };
        secrets[logicalId] = [...versions.filter(({ id }) => id !== added.id), added];
        save(secrets, file);
        return awsJson({ ARN, Name, VersionId: added.id, VersionStages: ['AWSCURRENT'] }, '1.1');
      }
      if (action !== 'GetSecretValue')
        return awsError(
          400,
          'UnknownOperationException',
          `The local run does not support secretsmanager.${action}`,
        );
      const version = VersionId === undefined ? versions.at(-1) : versions.find(({ id }) => id === VersionId);
      if (!version)
        return awsError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      const VersionStages = version === versions.at(-1) ? ['AWSCURRENT'] : [];
      return awsJson({ ARN, Name, SecretString: version.value, VersionId: version.id, VersionStages }, '1.1');
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

interface SecretInput {
  SecretId?: string;
  VersionId?: string;
  SecretString?: string;
  ClientRequestToken?: string;
}

/** Returns the stored secrets by logical id. Creates and saves those that `file` does not have. */
function generateMissing(specs: readonly SecretSpec[], file: string): Secrets {
  const secrets = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Secrets) : {};
  const missing = specs.filter(({ logicalId, generate }) => generate && !Object.hasOwn(secrets, logicalId));
  if (missing.length === 0) return secrets;
  for (const { logicalId, generate } of missing) if (generate) secrets[logicalId] = generateSecret(generate);
  save(secrets, file);
  return secrets;
}

function save(secrets: Secrets, file: string): void {
  writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
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
