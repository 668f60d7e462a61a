import { CfnOutput, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi as Api,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { ATTEMPTS_PATH, type Route, ROUTES } from '../../lambdas/core/contracts/routes';
import type { StageConfig } from '../stage-config';
import { type Binding, settings } from './binding';
import type { Identity } from './identity';
import type { PipelineFunction } from './pipeline-function';

export interface HttpApiProps {
  readonly config: StageConfig;
  readonly identity: Identity;
}

/** One line for each request. No path and no query: they may hold what users chose, and the route says enough. */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  user: '$context.authorizer.claims.sub',
  latencyMs: '$context.responseLatency',
  responseLength: '$context.responseLength',
  authorizerError: '$context.authorizer.error',
  integrationError: '$context.integrationErrorMessage',
};

/** Why a route has no JWT authorizer. */
const OPEN: Partial<Record<Route['auth'], string>> = {
  none: 'Marked as open in the route table: it tells nothing about any user, and monitors have no token.',
  attempt:
    'Targets report by the token of their attempt, which the function checks; no issuer of JWTs knows it.',
};

/** The front door. It has an address before it leads anywhere, since one of the stages behind it hands that address out. */
export class HttpApi extends Construct {
  readonly api: Api;
  private readonly identity: Identity;

  constructor(scope: Construct, id: string, { config, identity }: HttpApiProps) {
    super(scope, id);
    this.identity = identity;
    this.api = new Api(this, 'Api', { createDefaultStage: false });
    new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: config.requestsPerSec, burstLimit: config.requestBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, 'AccessLog', {
            retention: config.logRetentionDays,
            removalPolicy: RemovalPolicy.DESTROY,
          }),
        ),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    // Without the slash that a stage's own URL ends with: `$ApiUrl/v1/jobs` has to be a path of this API.
    new CfnOutput(Stack.of(this), 'ApiUrl', { value: this.url });
  }

  /** Where the API is found. */
  get url(): string {
    return this.api.apiEndpoint;
  }

  /** The host of its address. */
  get host(): string {
    const [afterScheme, beforePort] = [2, 0];
    return Fn.select(beforePort, Fn.split(':', Fn.select(afterScheme, Fn.split('/', this.url))));
  }

  /** Where targets report, for whoever calls them. */
  callback(): Binding<'CALLBACK_URL'> {
    return settings({ CALLBACK_URL: this.api.apiEndpoint + ATTEMPTS_PATH });
  }

  /** One API Gateway route for each line of the route table, all to this function. */
  leadTo(api: PipelineFunction): void {
    const jwt = new HttpJwtAuthorizer('Jwt', this.identity.issuer, { jwtAudience: this.identity.audience });
    const open = new HttpNoneAuthorizer();
    // One permission for the whole API: one for each route would in time outgrow the function's policy.
    const integration = new HttpLambdaIntegration('Function', api.lambda, { scopePermissionToRoute: false });
    for (const { method, path, auth } of ROUTES) {
      const reason = OPEN[auth];
      const [route] = this.api.addRoutes({
        path,
        methods: [HttpMethod[method]],
        integration,
        // Scopes are checked by the function, which tells a missing scope from a missing token.
        authorizer: reason ? open : jwt,
      });
      if (reason && route) Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    }
  }
}
