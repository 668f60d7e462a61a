import type * as z from 'zod/mini';

import { faultsOf } from '../../lambdas/core/contracts/field-faults';
import { StageConfig } from './stage-config';

/**
 * The values as a configuration, with defaults filled in. `what` names their source in the message.
 *
 * @throws one Error that lists every invalid value with what is allowed
 */
export function parseConfig(values: Readonly<Record<string, unknown>>, what: string): StageConfig {
  const parsed = StageConfig.safeParse(values);
  if (parsed.success) return parsed.data;
  const schema = StageConfig as unknown as z.ZodMiniType;
  const lines = faultsOf(parsed.error, { value: values, schema }).map(({ path, parts, message }) => {
    const value = parts.reduce<unknown>(
      // A single string can replace a list of one; the path then points into the list.
      (at, key) => (typeof at === 'object' ? (at as Record<PropertyKey, unknown> | null)?.[key] : at),
      values,
    );
    return `  ${path}${value === undefined ? '' : ` = ${JSON.stringify(value)}`}: ${message}`;
  });
  throw new Error(`${what} is not configured correctly:\n${[...new Set(lines)].join('\n')}`);
}
