import { createHash } from 'node:crypto';

import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';

import { version } from '../../package.json';
import type { MachineClient } from '../../lambdas/core/contracts/machine-clients';
import { PROJECT_SCOPES, type ProjectScope } from '../../lambdas/core/contracts/roles';
import { CLI_CALLBACK_URLS, type ConsoleSignIn, type SignIn } from '../../lambdas/core/contracts/sign-in';
import { ADMIN_GROUP, SCOPE_RESOURCE_SERVER } from '../../lambdas/core/contracts/user-pool';
import type { StageConfig } from '../config/stage-config';
import { type Binding, settings } from './binding';
import { deploymentOf } from './deployment-name';
import { MachineClients } from './machine-clients';
import { removalPolicyOf } from './removal-policy';

export interface IdentityProps {
  readonly config: StageConfig;
  /** Addresses of the console, which the sign-in page sends users back to. None: there is no console. */
  readonly consoleUrls: string[];
}

export interface OwnUserPool {
  readonly pool: cognito.UserPool;
  readonly client: cognito.UserPoolClient;
  readonly signInUrl: string;
}

const SCOPE_DESCRIPTIONS: Record<ProjectScope, string> = {
  'jobs:read': 'Read jobs',
  'jobs:write': 'Change jobs',
  'runs:operate': 'Run, pause, cancel and retry',
  'runs:approve': 'Approve and reject',
  work: 'Take work from queues',
  'project:admin': 'Manage keys, secrets and notifications of a project',
};

/** What programs that sign users in ask for, and where the sign-in page may send users back to. */
export function signInListsOf({
  callbackUrls,
  signIn,
}: Pick<StageConfig, 'callbackUrls' | 'signIn'>): Pick<SignIn, 'scopes' | 'callbackUrls'> {
  const ownScopes = ['openid', ...PROJECT_SCOPES.map((scope) => `${SCOPE_RESOURCE_SERVER}/${scope}`)];
  return {
    scopes: signIn?.scopes ?? ownScopes,
    callbackUrls: [...new Set([...callbackUrls, ...CLI_CALLBACK_URLS])],
  };
}

/** Issuer and audience of the tokens that the API accepts: as configured, or those of a Cognito user pool. */
export class Identity extends Construct {
  readonly issuer: string;
  readonly audience: string[];
  /** URL of the issuer's key set; empty: its discovery document names it. */
  readonly jwksUri: string;
  /** Programs whose tokens are those of one project. */
  readonly machineClients: readonly MachineClient[];
  /** How the console signs users in. Undefined: there is none, or its issuer's sign-in is not configured. */
  readonly console: ConsoleSignIn | undefined;
  /** The stack's own user pool, with the client of the command line. Undefined with a configured issuer. */
  readonly userPool: OwnUserPool | undefined;
  /** How programs sign users in. Undefined if the configuration does not tell it for its issuer. */
  private readonly signIn: Omit<SignIn, 'scopes' | 'callbackUrls' | 'version'> | undefined;

  constructor(scope: Construct, id: string, { config, consoleUrls }: IdentityProps) {
    super(scope, id);
    const { callbackUrls, scopes } = signInListsOf(config);
    if (config.issuer && config.audience) {
      this.issuer = config.issuer;
      this.audience = config.audience;
      this.jwksUri = config.jwksUri ?? '';
      this.machineClients = Object.entries(config.machineClients).map(
        ([name, { project, role, clientId = name }]) => ({ clientId, name, project, role }),
      );
      if (!config.signIn) return;
      const { consoleClientId = config.signIn.clientId, scopes: _inFile, ...signIn } = config.signIn;
      this.signIn = { issuer: config.issuer, ...signIn };
      if (consoleUrls.length > 0)
        this.console = {
          ...{ ...this.signIn, clientId: consoleClientId },
          ...{ scopes, callbackUrls: consoleUrls, version },
        };
      return;
    }
    const { pool, client, consoleClient, machineClients, signInUrl } = this.createUserPool({
      ...config,
      callbackUrls,
      consoleUrls,
    });
    this.userPool = { pool, client, signInUrl };
    this.issuer = pool.userPoolProviderUrl;
    this.machineClients = machineClients;
    this.audience = [
      ...[client, consoleClient].flatMap((one) => one?.userPoolClientId ?? []),
      ...machineClients.map(({ clientId }) => clientId),
    ];
    this.jwksUri = '';
    this.signIn = {
      issuer: this.issuer,
      authorizationEndpoint: `${signInUrl}/oauth2/authorize`,
      tokenEndpoint: `${signInUrl}/oauth2/token`,
      clientId: client.userPoolClientId,
    };
    if (consoleClient)
      this.console = {
        ...{ ...this.signIn, clientId: consoleClient.userPoolClientId },
        ...{ scopes, callbackUrls: consoleUrls, version },
        logoutEndpoint: `${signInUrl}/logout`,
        revocationEndpoint: `${signInUrl}/oauth2/revoke`,
      };
  }

  /** Binds what `GET /v1/sign-in` tells. */
  signingIn(): Binding<'SIGN_IN'> {
    return settings({ SIGN_IN: Stack.of(this).toJsonString(this.signIn ?? null) });
  }

  private createUserPool({
    stage,
    removal,
    callbackUrls,
    consoleUrls,
    machineClients: configured,
  }: Pick<StageConfig, 'stage' | 'removal' | 'machineClients'> & {
    callbackUrls: string[];
    consoleUrls: string[];
  }) {
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
    // Cognito returns lists sorted, and CloudFormation would take another order for a change.
    const scopes = PROJECT_SCOPES.toSorted().map(
      (scopeName) =>
        new cognito.ResourceServerScope({ scopeName, scopeDescription: SCOPE_DESCRIPTIONS[scopeName] }),
    );
    const server = pool.addResourceServer('Scopes', { identifier: SCOPE_RESOURCE_SERVER, scopes });
    // Members may stop and start the deployment. The group is empty until the operator adds a user.
    pool.addGroup('Admins', { groupName: ADMIN_GROUP, description: 'May stop and start Quarterjack' });
    const byName = new Map(
      scopes.map((scope) => [scope.scopeName, cognito.OAuthScope.resourceServer(server, scope)]),
    );
    const granted = [cognito.OAuthScope.OPENID, ...byName.values()];
    const client = this.addClient('Client', pool, { scopes: granted, callbackUrls: callbackUrls.toSorted() });
    const consoleClient =
      consoleUrls.length === 0 ? undefined : this.addConsoleClient(pool, granted, consoleUrls);
    const machines = new MachineClients(this, 'Machine', { pool, configured, scopes: byName });
    const domain = pool.addDomain('SignIn', {
      cognitoDomain: { domainPrefix: `quarterjack-${this.domainName(stage)}-${Aws.ACCOUNT_ID}` },
    });
    return { pool, client, consoleClient, machineClients: machines.all, signInUrl: domain.baseUrl() };
  }

  /**
   * Part of the pool's domain, which is unique within a region. A stack of this checkout has the name of its
   * stage; other names could have characters that Cognito refuses.
   */
  private domainName(stage: string): string {
    const deployment = deploymentOf(this);
    return deployment === Stack.of(this).stackName
      ? stage
      : createHash('sha256').update(deployment).digest('hex').slice(0, 12);
  }

  /** A refresh token of the console is good once. The grace is for a response that was lost. */
  private addConsoleClient(
    pool: cognito.UserPool,
    scopes: cognito.OAuthScope[],
    consoleUrls: string[],
  ): cognito.UserPoolClient {
    const oAuth = { scopes, callbackUrls: consoleUrls, logoutUrls: consoleUrls };
    return this.addClient('ConsoleClient', pool, oAuth, {
      refreshTokenRotationGracePeriod: Duration.seconds(10),
    });
  }

  /** A client of people. `more`: what it has beyond the client of the command line. */
  private addClient(
    id: string,
    pool: cognito.UserPool,
    oAuth: Pick<cognito.OAuthSettings, 'scopes' | 'callbackUrls' | 'logoutUrls'>,
    more: Partial<cognito.UserPoolClientOptions> = {},
  ): cognito.UserPoolClient {
    return pool.addClient(id, {
      // Only the sign-in page issues access tokens with these scopes, by code and PKCE. Hence the client has
      // no secret. Without a list of flows, Cognito enables SRP and custom flows too. CDK adds refresh to the
      // list.
      authFlows: { user: false },
      oAuth: { flows: { authorizationCodeGrant: true }, ...oAuth },
      supportedIdentityProviders: [cognito.UserPoolClientIdentityProvider.COGNITO],
      preventUserExistenceErrors: true,
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.hours(12), // a working day; Cognito's default is 30 days
      enableTokenRevocation: true,
      ...more,
    });
  }
}
