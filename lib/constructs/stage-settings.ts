import { Duration } from 'aws-cdk-lib';
import { Stack } from 'aws-cdk-lib';

import { laneLimitsOf } from '../config/pools';
import { shardConcurrency, type StageConfig } from '../config/stage-config';
import type { AddedTargets } from './added-targets';
import { awsTargets } from './aws-targets';
import { bind, settings } from './binding';
import type { Identity } from './identity';

export const SCANNER_TIMEOUT = Duration.minutes(1);
export const SWEEPER_TIMEOUT = Duration.minutes(1);

export interface StageSettingsProps {
  readonly config: StageConfig;
  readonly identity: Identity;
  /** Host of the HTTP API. */
  readonly ownHost: string;
  /** Targets that the stack's program allows beside those of the configuration. */
  readonly added: AddedTargets;
}

/** How a function consumes the requests for shards: one per invocation. */
export const shardRequests = ({ shardCount }: StageConfig) => ({
  batchSize: 1,
  maxConcurrency: shardConcurrency(shardCount),
});

const dispatchOf = ({ retentionDays, horizonSec, pools }: StageConfig) =>
  settings({
    RETENTION_DAYS: retentionDays,
    HORIZON_SEC: horizonSec,
    USER_RATE_LIMITS: JSON.stringify(
      Object.fromEntries(Object.entries(pools).map(([pool, { userSharePerSec }]) => [pool, userSharePerSec])),
    ),
  });

/** Bindings for the settings that several stages read. */
export const settingsOf = ({ config, identity, ownHost, added }: StageSettingsProps) => ({
  shards: settings({ SHARD_COUNT: config.shardCount }),
  dispatch: dispatchOf(config),
  /** Of stages that also start or end runs, or charge quotas. */
  dispatchWithQuotas: bind(dispatchOf(config), settings({ QUOTAS: JSON.stringify(config.quotas) })),
  targets: settings({
    TARGET_POLICY: config.targetPolicy,
    // Includes the API's own host for the canary. The API rejects users' jobs whose target is the API itself.
    TARGET_HOSTS: config.allowedTargetHosts ? [...config.allowedTargetHosts, ownHost].join(',') : '',
  }),
  targetCalls: awsTargets(config, added),
  /** Whose tokens are accepted, and which projects they name. */
  tokens: settings({
    ISSUER: identity.issuer,
    AUDIENCE: JSON.stringify(identity.audience),
    JWKS_URI: identity.jwksUri,
    PROJECTS: JSON.stringify(config.projects),
    MACHINE_CLIENTS: Stack.of(identity).toJsonString(identity.machineClients),
  }),
  laneLimits: settings({
    LANE_LIMITS: JSON.stringify(
      Object.fromEntries(
        Object.entries(config.pools)
          .filter(([, { userLanePercent }]) => userLanePercent < 100)
          .map(([name, pool]) => [name, laneLimitsOf(pool)]),
      ),
    ),
  }),
  signing: settings({ SIGNING_LEGACY: config.signing.legacy ? 'on' : 'off' }),
});
