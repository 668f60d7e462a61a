import type * as z from 'zod/mini';

import '../contracts/zod-locale';

/**
 * The environment, parsed by its schema. Throws one error that names every missing or invalid key, so that a
 * wrong deployment shows all its faults at the first start.
 */
export function loadEnv<Schema extends z.ZodMiniObject>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
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
