import { Aws, CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';

import { PROJECT_SCOPES, type ProjectScope } from '../../lambdas/core/contracts/roles';
import { ADMIN_GROUP, SCOPE_RESOURCE_SERVER } from '../../lambdas/core/contracts/user-pool';
import type { StageConfig } from '../config/stage-config';
import { removalPolicyOf } from './removal-policy';

export interface IdentityProps {
  readonly config: StageConfig;
}

const SCOPE_DESCRIPTIONS: Record<ProjectScope, string> = {
  'jobs:read': 'Read jobs',
  'jobs:write': 'Change jobs',
  'runs:operate': 'Run, pause, cancel and retry',
  'runs:approve': 'Approve and reject',
  work: 'Take work from queues',
  'project:admin': 'Manage keys, secrets and notifications of a project',
};

/** Issuer and audience of the tokens that the API accepts: as configured, or those of a Cognito user pool. */
export class Identity extends Construct {
  readonly issuer: string;
  readonly audience: string[];
  /** URL of the issuer's key set; empty: its discovery document names it. */
  readonly jwksUri: string;

  constructor(scope: Construct, id: string, { config }: IdentityProps) {
    super(scope, id);
    if (config.issuer && config.audience) {
      this.issuer = config.issuer;
      this.audience = config.audience;
      this.jwksUri = config.jwksUri ?? '';
      return;
    }
    const { pool, client } = this.createUserPool(config);
    this.issuer = pool.userPoolProviderUrl;
    this.audience = [client.userPoolClientId];
    this.jwksUri = '';
  }

  private createUserPool({ stage, removal, callbackUrls }: StageConfig) {
    const pool = new cognito.UserPool(this, 'UserPool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      mfa: cognito.Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 14,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
      },
      accountRecovery: cognito.AccountRecovery.EMAIL_ONLY,
      deletionProtection: removal === 'protect',
      removalPolicy: removalPolicyOf(removal),
    });
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason:
        'The Plus plan adds threat protection at a price per user. Only the operator creates accounts, and each ' +
        'needs a second factor. For more protection, configure an external issuer.',
    });
    const scopes = PROJECT_SCOPES.map(
      (scopeName) =>
        new cognito.ResourceServerScope({ scopeName, scopeDescription: SCOPE_DESCRIPTIONS[scopeName] }),
    );
    const server = pool.addResourceServer('Scopes', { identifier: SCOPE_RESOURCE_SERVER, scopes });
    // Members may stop and start the deployment. The group is empty until the operator adds a user.
    pool.addGroup('Admins', { groupName: ADMIN_GROUP, description: 'May stop and start Quarterjack' });
    const client = this.addClient(pool, server, scopes, callbackUrls);
    const domain = pool.addDomain('SignIn', {
      cognitoDomain: { domainPrefix: `quarterjack-${stage}-${Aws.ACCOUNT_ID}` }, // unique within a region
    });
    const stack = Stack.of(this);
    new CfnOutput(stack, 'UserPoolId', { value: pool.userPoolId });
    new CfnOutput(stack, 'ClientId', { value: client.userPoolClientId });
    new CfnOutput(stack, 'SignInUrl', { value: domain.baseUrl() });
    return { pool, client };
  }

  private addClient(
    pool: cognito.UserPool,
    server: cognito.UserPoolResourceServer,
    scopes: readonly cognito.ResourceServerScope[],
    callbackUrls: string[] | undefined,
  ): cognito.UserPoolClient {
    return pool.addClient('Client', {
      // Only the sign-in page issues access tokens with these scopes, by code and PKCE. Hence the client has
      // no secret. Without a list of flows, Cognito enables SRP and custom flows too. CDK adds refresh to the
      // list.
      authFlows: { user: false },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [
          cognito.OAuthScope.OPENID,
          ...scopes.map((scope) => cognito.OAuthScope.resourceServer(server, scope)),
        ],
        callbackUrls,
      },
      supportedIdentityProviders: [cognito.UserPoolClientIdentityProvider.COGNITO],
      preventUserExistenceErrors: true,
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.hours(12), // a working day; Cognito's default is 30 days
      enableTokenRevocation: true,
    });
  }
}
