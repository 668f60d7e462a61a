import { StageConfig } from './stage-config';

/**
 * The values as a configuration, with defaults filled in. `what` names their source in the message.
 *
 * @throws one Error that lists every invalid value with what is allowed
 */
export function parseConfig(values: Readonly<Record<string, unknown>>, what: string): StageConfig {
  const parsed = StageConfig.safeParse(values);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const value = path.reduce<unknown>(
      // A single string can replace a list of one; the path then points into the list.
      (at, key) => (typeof at === 'object' ? (at as Record<PropertyKey, unknown> | null)?.[key] : at),
      values,
    );
    return `  ${path.join('.')} = ${JSON.stringify(value)}: ${message}`;
  });
  throw new Error(`${what} is not configured correctly:\n${[...new Set(lines)].join('\n')}`);
}
