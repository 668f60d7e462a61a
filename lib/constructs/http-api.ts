import { CfnOutput, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
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

import { ROUTES } from '../../lambdas/core/contracts/routes';
import type { StageConfig } from '../stage-config';
import type { Identity } from './identity';
import type { PipelineFunction } from './pipeline-function';

export interface HttpApiProps {
  readonly config: StageConfig;
  readonly api: PipelineFunction;
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

/** The front door: one API Gateway route for each line of the route table. */
export class HttpApi extends Construct {
  readonly api: Api;

  constructor(scope: Construct, id: string, { config, api, identity }: HttpApiProps) {
    super(scope, id);
    const jwt = new HttpJwtAuthorizer('Jwt', identity.issuer, { jwtAudience: identity.audience });
    const open = new HttpNoneAuthorizer();
    const httpApi = new Api(this, 'Api', { createDefaultStage: false });
    this.api = httpApi;

    // One permission for the whole API: one for each route would in time outgrow the function's policy.
    const integration = new HttpLambdaIntegration('Function', api.lambda, { scopePermissionToRoute: false });
    for (const { method, path, auth } of ROUTES) {
      const [route] = httpApi.addRoutes({
        path,
        methods: [HttpMethod[method]],
        integration,
        // Scopes are checked by the function, which tells a missing scope from a missing token.
        authorizer: auth === 'none' ? open : jwt,
      });
      if (auth === 'none' && route)
        Validations.of(route).acknowledge({
          id: 'AwsSolutions-APIG4',
          reason:
            'Marked as open in the route table: it tells nothing about any user, and monitors have no token.',
        });
    }

    const stage = new HttpStage(this, 'Stage', {
      httpApi,
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
    new CfnOutput(Stack.of(this), 'ApiUrl', { value: stage.url });
  }
}
