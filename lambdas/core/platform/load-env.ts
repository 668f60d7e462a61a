import { readFileSync } from 'node:fs';

import type * as z from 'zod/mini';

import { SETTINGS_FILE } from '../contracts/env';
import '../contracts/zod-locale';

/**
 * The environment and what its settings file adds, parsed by their schema. A variable of the environment
 * counts rather than one of the file. Throws one error that names every missing or invalid key, so that a
 * wrong deployment shows all its faults at the first start.
 */
export function loadEnv<Schema extends z.ZodMiniObject>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const env = { ...settingsIn(environment[SETTINGS_FILE]), ...environment };
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const [name] = path as [string, ...PropertyKey[]];
    const value = env[name];
    if (value === undefined) return `${name} is missing`;
    const within = path.length > 1 ? ` at ${path.slice(1).join('.')}` : '';
    return `${name} is ${JSON.stringify(value)}${within}: ${message}`;
  });
  throw new Error(`environment: ${[...new Set(problems)].join('; ')}`);
}

function settingsIn(path: string | undefined): Record<string, string> {
  if (path === undefined) return {};
  const settings = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)]));
}
