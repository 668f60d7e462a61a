import defaults from '../../config/dev.json';
import type { QuarterjackProps } from '../quarterjack-props';
import { parseConfig } from './parse-config';
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
  const { quotas, pools } = props;
  return parseConfig(
    {
      stage: DEFAULT_STAGE,
      ...defaults,
      ...given,
      quotas: { ...defaults.quotas, ...quotas },
      pools: { ...defaults.pools, ...pools, default: { ...defaults.pools.default, ...pools?.default } },
    },
    what,
  );
}
