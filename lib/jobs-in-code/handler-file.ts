import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { cacheFolder } from './cache-folder';

/** The project whose deliveries a function takes. */
export const PROJECT_VARIABLE = 'QUARTERJACK_PROJECT';
export const PREFIX_VARIABLE = 'QUARTERJACK_JOB_PREFIX';

/**
 * What Lambda calls. The module says first where its jobs find the API, if it does. The SDK is that of the
 * runtime: a bundler must not look for it. A key that was replaced is read again after a while.
 */
const handlerText = (entry: string): string => `import * as jobs from ${JSON.stringify(entry)};

const { QUARTERJACK_URL: url, QUARTERJACK_KEY_SECRET: SecretId, ${PROJECT_VARIABLE}: project } = process.env;
const SDK = '@aws-sdk/client-secrets-manager';
const KEPT_MS = 300_000;
let key = { text: '', untilMs: 0 };
async function token() {
  if (key.untilMs < Date.now()) {
    const { GetSecretValueCommand, SecretsManagerClient } = await import(SDK);
    const { SecretString } = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId }));
    key = { text: SecretString, untilMs: Date.now() + KEPT_MS };
  }
  return key.text;
}
const prefix = process.env.${PREFIX_VARIABLE};
globalThis[Symbol.for('quarterjack.connection/1')] ??= { url, project, prefix, token };

export const handler = globalThis[Symbol.for('quarterjack.jobs/1')].serve(jobs, { project }).lambda;
`;

/** A module beside the packages of the project, whose `handler` serves the jobs of `entry`. */
export function handlerFile(entry: string): string {
  const folder = cacheFolder(entry);
  const hash = createHash('sha256').update(entry).digest('hex').slice(0, 16);
  const file = join(folder, `handler-${hash}.mjs`);
  const text = handlerText(relative(folder, entry).replaceAll('\\', '/'));
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  return file;
}
