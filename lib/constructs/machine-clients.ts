import { Duration } from 'aws-cdk-lib';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';

import type { MachineClient } from '../../lambdas/core/contracts/machine-clients';
import { ROLE_SCOPES, type Role } from '../../lambdas/core/contracts/roles';
import type { MachineClients as Configured } from '../config/machine-clients';
import { pascalCase } from './execution-queues';

export interface MachineClientsProps {
  readonly pool: cognito.UserPool;
  readonly configured: Configured;
  /** The scopes that the pool's resource server has, by name. */
  readonly scopes: ReadonlyMap<string, cognito.OAuthScope>;
}

/** A client of the user pool for each program: it has a secret, and gets tokens for itself alone. */
export class MachineClients extends Construct {
  readonly all: readonly MachineClient[];

  constructor(scope: Construct, id: string, { pool, configured, scopes }: MachineClientsProps) {
    super(scope, id);
    this.all = Object.entries(configured).map(([name, { project, role }]) => {
      const client = new cognito.UserPoolClient(this, outputNameOf(name), {
        userPool: pool,
        generateSecret: true,
        authFlows: { user: false },
        oAuth: { flows: { clientCredentials: true }, scopes: scopesOf(role, scopes) },
        accessTokenValidity: Duration.hours(1),
        enableTokenRevocation: true,
      });
      return { clientId: client.userPoolClientId, name, project, role };
    });
  }
}

/** `ci-shop` → `CiShop`. */
export const outputNameOf = (name: string): string => name.split('-').map(pascalCase).join('');

/** An approval is a person's decision: only the role that is for approvals brings it to a program. */
function scopesOf(role: Role, scopes: ReadonlyMap<string, cognito.OAuthScope>): cognito.OAuthScope[] {
  const wanted = ROLE_SCOPES[role].filter((scope) => scope !== 'runs:approve' || role === 'approver');
  return wanted.toSorted().map((scope) => scopes.get(scope)!);
}
