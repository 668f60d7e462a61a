import { Duration } from 'aws-cdk-lib';

import { shardConcurrency, type StageConfig } from '../config/stage-config';
import type { AddedTargets } from './added-targets';
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
  /** Targets that the stack's program allows beside those of the configuration. */
  readonly added: AddedTargets;
}

/** How a function consumes the requests for shards: one per invocation. */
export const shardRequests = ({ shardCount }: StageConfig) => ({
  batchSize: 1,
  maxConcurrency: shardConcurrency(shardCount),
});

const dispatchOf = ({ retentionDays, horizonSec }: StageConfig) =>
  settings({
    RETENTION_DAYS: retentionDays,
    HORIZON_SEC: horizonSec,
  });

/** Bindings for the settings that several stages read. */
export const settingsOf = ({ config, identity, ownHost, added }: StageSettingsProps) => ({
  shards: settings({ SHARD_COUNT: config.shardCount }),
  dispatch: dispatchOf(config),
  targets: settings({
    TARGET_POLICY: config.targetPolicy,
    API_HOST: ownHost,
  }),
  targetCalls: awsTargets(config, added),
  /** Whose tokens are accepted, and which projects they name. */
  tokens: settings({
    ISSUER: identity.issuer,
    AUDIENCE: JSON.stringify(identity.audience),
    JWKS_URI: identity.jwksUri,
    PROJECTS: JSON.stringify(config.projects),
    MACHINE_CLIENT_IDS: JSON.stringify(identity.machineClients.map(({ clientId }) => clientId)),
  }),
  signing: settings({ SIGNING_LEGACY: config.signing.legacy ? 'on' : 'off' }),
});
