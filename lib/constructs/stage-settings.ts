import { Duration } from 'aws-cdk-lib';

import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import { shardConcurrency, type StageConfig } from '../config/stage-config';
import { awsTargets } from './aws-targets';
import { settings } from './binding';
import type { Identity } from './identity';

export const SCANNER_TIMEOUT = Duration.minutes(1);
export const SWEEPER_TIMEOUT = Duration.minutes(1);

export interface StageSettingsProps {
  readonly config: StageConfig;
  readonly identity: Identity;
  /** Host of the HTTP API. */
  readonly ownHost: string;
}

/** How a function consumes the requests for shards: one per invocation. */
export const shardRequests = ({ shardCount }: StageConfig) => ({
  batchSize: 1,
  maxConcurrency: shardConcurrency(shardCount),
});

/** Bindings for the settings that several stages read. */
export const settingsOf = ({ config, identity, ownHost }: StageSettingsProps) => ({
  shards: settings({ SHARD_COUNT: config.shardCount }),
  quotas: settings({ QUOTAS: JSON.stringify(config.quotas) }),
  dispatch: settings({
    RETENTION_DAYS: config.retentionDays,
    HORIZON_SEC: config.horizonSec,
    USER_RATE_LIMITS: JSON.stringify({ [DEFAULT_POOL]: config.pools[DEFAULT_POOL].userSharePerSec }),
  }),
  targets: settings({
    TARGET_POLICY: config.targetPolicy,
    // Includes the API's own host for the canary. The API rejects users' jobs whose target is the API itself.
    TARGET_HOSTS: config.allowedTargetHosts ? [...config.allowedTargetHosts, ownHost].join(',') : '',
  }),
  targetCalls: awsTargets(config),
  /** Whose tokens are accepted, and which projects they name. */
  tokens: settings({
    ISSUER: identity.issuer,
    AUDIENCE: JSON.stringify(identity.audience),
    JWKS_URI: identity.jwksUri,
    PROJECTS: JSON.stringify(config.projects),
  }),
  signing: settings({ SIGNING_LEGACY: config.signing.legacy ? 'on' : 'off' }),
});
