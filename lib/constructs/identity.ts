import { Aws, CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';

import { ADMIN_GROUP, SCOPE_RESOURCE_SERVER } from '../../lambdas/core/contracts/user-pool';
import type { StageConfig } from '../stage-config';

export interface IdentityProps {
  readonly config: StageConfig;
}

/** Whose tokens the API accepts: those of the configured issuer, or of a user pool made here. */
export class Identity extends Construct {
  readonly issuer: string;
  readonly audience: string[];

  constructor(scope: Construct, id: string, { config }: IdentityProps) {
    super(scope, id);
    if (config.issuer && config.audience) {
      this.issuer = config.issuer;
      this.audience = config.audience;
      return;
    }
    const { pool, client } = this.makeUserPool(config);
    this.issuer = pool.userPoolProviderUrl;
    this.audience = [client.userPoolClientId];
  }

  private makeUserPool({ stage, removal, callbackUrls }: StageConfig) {
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
      removalPolicy: removal === 'destroy' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason:
        'The Plus plan adds threat protection for a price per user. Accounts are made by the operator alone and need a ' +
        'second factor; who wants more names an issuer of his own in the configuration.',
    });
    const read = new cognito.ResourceServerScope({ scopeName: 'jobs:read', scopeDescription: 'Read jobs' });
    const write = new cognito.ResourceServerScope({
      scopeName: 'jobs:write',
      scopeDescription: 'Change jobs',
    });
    const server = pool.addResourceServer('Scopes', {
      identifier: SCOPE_RESOURCE_SERVER,
      scopes: [read, write],
    });
    // Whoever it lists may stop and start the deployment; nobody, until the operator adds someone.
    pool.addGroup('Admins', { groupName: ADMIN_GROUP, description: 'May stop and start Quarterjack' });
    const client = pool.addClient('Client', {
      // Access tokens with these scopes come from the sign-in page alone, by code and PKCE: a client without a secret.
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [
          cognito.OAuthScope.OPENID,
          cognito.OAuthScope.resourceServer(server, read),
          cognito.OAuthScope.resourceServer(server, write),
        ],
        callbackUrls,
      },
      supportedIdentityProviders: [cognito.UserPoolClientIdentityProvider.COGNITO],
      preventUserExistenceErrors: true,
      accessTokenValidity: Duration.hours(1),
    });
    const domain = pool.addDomain('SignIn', {
      cognitoDomain: { domainPrefix: `quarterjack-${stage}-${Aws.ACCOUNT_ID}` }, // unique within a region
    });
    const stack = Stack.of(this);
    new CfnOutput(stack, 'UserPoolId', { value: pool.userPoolId });
    new CfnOutput(stack, 'ClientId', { value: client.userPoolClientId });
    new CfnOutput(stack, 'SignInUrl', { value: domain.baseUrl() });
    return { pool, client };
  }
}
