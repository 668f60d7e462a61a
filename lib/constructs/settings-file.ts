import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Stage } from 'aws-cdk-lib';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

import type { Setting } from '../../lambdas/core/contracts/env';
import { actionsByProject } from '../config/allowed-actions';
import { samplingOf } from '../config/otlp';
import { laneLimitsOf, type Pools } from '../config/pools';
import { signedByProject } from '../config/signed-calls';
import type { StageConfig } from '../config/stage-config';
import { allowedOf, rolesOf } from './aws-targets';
import { signInListsOf } from './identity';
import { privateHostsIn } from './private-pools';

const FILE = 'quarterjack-settings.json';

export interface SettingsFileProps {
  readonly config: StageConfig;
}

/**
 * A layer with one file of settings: lists that may grow, and whatever else is known at synthesis and long.
 * The environment of a function holds 4 KB in all, which the names of queues and tables share. Values that
 * are known at deployment alone stay there.
 */
export class SettingsFile extends Construct {
  readonly layer: LayerVersion;
  /** Where functions find it: Lambda unpacks layers there. */
  readonly path = `/opt/${FILE}`;

  constructor(scope: Construct, id: string, { config }: SettingsFileProps) {
    super(scope, id);
    const text = `${JSON.stringify(settingsOf(config), undefined, 1)}\n`;
    const folder = join(
      Stage.of(this)!.outdir,
      `settings-${createHash('sha256').update(text).digest('hex')}`,
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, FILE), text);
    this.layer = new LayerVersion(this, 'Layer', {
      description: 'Settings of a deployment of Quarterjack',
      code: Code.fromAsset(folder),
    });
  }
}

const settingsOf = (config: StageConfig): Record<Setting, unknown> => ({
  USER_RATE_LIMITS: ofPools(config.pools, ({ userSharePerSec }) => userSharePerSec),
  LANE_LIMITS: ofPools(config.pools, (pool) => (pool.userLanePercent < 100 ? laneLimitsOf(pool) : undefined)),
  QUOTAS: config.quotas,
  TARGET_HOSTS: config.allowedTargetHosts ?? [],
  SIGNED_CALLS: signedByProject(config.signedCalls),
  ALLOWED_ACTIONS: actionsByProject(config.allowedActions),
  PRIVATE_HOSTS: privateHostsIn(config),
  PRIVATE_NETWORKS: ofPools(config.pools, ({ privateCidrs }) => privateCidrs),
  TARGET_ARNS: allowedOf(config),
  TARGET_ROLES: rolesOf(config),
  ECS_CLUSTERS: config.errands.ecs.clusters,
  ERRAND_OVERRIDES: config.errands.allowOverrides,
  SIGN_IN_LISTS: signInListsOf(config),
  MACHINE_CLIENTS: Object.entries(config.machineClients).map(([name, { project, role }]) => ({
    name,
    project,
    role,
  })),
  SAMPLING: samplingOf(config.otlp),
});

/** By pool, without those for which it is undefined. */
const ofPools = <Value>(pools: Pools, valueOf: (pool: Pools[string]) => Value | undefined) =>
  Object.fromEntries(
    Object.entries(pools).flatMap(([name, pool]) => {
      const value = valueOf(pool);
      return value === undefined ? [] : [[name, value]];
    }),
  );
