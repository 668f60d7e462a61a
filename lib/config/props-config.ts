import defaults from '../../config/dev.json';
import type { QuarterjackProps } from '../quarterjack-props';
import { parseConfig } from './parse-config';
import { isObject } from './values';
import type { StageConfig } from './stage-config';

/** A construct has no configuration file to be named after. */
const DEFAULT_STAGE = 'app';

/**
 * The configuration of a construct: its properties over those of the stage `dev`. Quotas and pools are merged
 * field by field; what another pool leaves out is as in `default`. Throws one Error that lists every
 * invalid value with what is allowed.
 */
export function configOfProps(
  { bundlesDir: _, project: _project, ...props }: QuarterjackProps,
  what: string,
): StageConfig {
  const given = Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
  const values = { stage: DEFAULT_STAGE, ...defaults, ...given };
  return parseConfig(
    {
      ...values,
      quotas: over(defaults.quotas, values.quotas),
      pools: isObject(values.pools)
        ? { ...defaults.pools, ...values.pools, default: over(defaults.pools.default, values.pools.default) }
        : values.pools,
    },
    what,
  );
}

/** The fields of an object over those of another one. What is no object is left to the check. */
const over = (fields: object, given: unknown): unknown =>
  isObject(given) ? { ...fields, ...given } : given === undefined ? fields : given;
