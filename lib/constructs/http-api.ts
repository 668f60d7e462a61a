import { Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  ApiMapping,
  DomainName,
  HttpApi as Api,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { ATTEMPTS_PATH, CLAIM_PATH, type Route, ROUTES } from '../../lambdas/core/contracts/routes';
import type { StageConfig } from '../config/stage-config';
import { type Binding, settings } from './binding';
import { deploymentOf } from './deployment-name';
import type { PipelineFunction } from './pipeline-function';

export interface HttpApiProps {
  readonly config: StageConfig;
}

/**
 * One line per request. It omits path and query, which may contain user data; the route identifies the
 * request.
 */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  user: '$context.authorizer.sub',
  apiKey: '$context.authorizer.keyId',
  latencyMs: '$context.responseLatency',
  responseLength: '$context.responseLength',
  // Why a token was rejected: the authorizer always lets the API answer.
  problem: '$context.authorizer.problem',
  authorizerError: '$context.authorizer.error',
  integrationError: '$context.integrationErrorMessage',
};

/**
 * How long API Gateway uses a result of the authorizer, for the same `Authorization` header. A revoked key is
 * refused within a minute of the answer to its revocation: this time, and 15 s for what was under way.
 */
const AUTHORIZER_TTL = Duration.seconds(45);

/** Why a route has no authorizer. Recorded as the reason for suppressing the cdk-nag rule. */
const OPEN: Partial<Record<Route['auth'], string>> = {
  none: 'Public in the route table: the response contains no user data, and monitors have no token.',
  attempt: 'Targets report with the token of their attempt. The function checks it; it is not a JWT.',
};

/** What each path asks for. Its methods may ask for different scopes, but all for a token, or none. */
function authOfPaths(): ReadonlyMap<string, Route['auth']> {
  const paths = new Map<string, Route['auth']>();
  for (const { method, path, auth } of ROUTES) {
    const known = paths.get(path);
    if (known !== undefined && OPEN[known] !== OPEN[auth])
      throw new Error(`${method} ${path} has no authorizer, and another method of that path has one`);
    paths.set(path, auth);
  }
  return paths;
}

/**
 * The HTTP API. It is created before its function, because functions get its URL; `routeTo` adds the routes.
 */
export class HttpApi extends Construct {
  readonly api: Api;
  /** Base URL of links and callbacks, without a trailing slash: of the operator's domain, if it is in use. */
  readonly url: string;
  /** The base URLs that lead here: of the operator's domain too, whether or not it is in use. */
  readonly urls: readonly string[];
  readonly accessLog: LogGroup;
  /** The operator's domain, if there is one. */
  readonly domain: DomainName | undefined;

  constructor(scope: Construct, id: string, { config }: HttpApiProps) {
    super(scope, id);
    const name = deploymentOf(this);
    this.api = new Api(this, 'Api', { apiName: name, createDefaultStage: false });
    this.accessLog = new LogGroup(this, 'AccessLog', {
      // For any other name, API Gateway adds to the account's log resource policy, which has a limit.
      logGroupName: `/aws/vendedlogs/${name}-Access`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: config.requestsPerSec, burstLimit: config.requestBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    this.domain = config.domain && this.addDomain(config.domain, stage);
    const { domain } = config;
    const ofDomain = domain && `https://${domain.name}`;
    this.url = ofDomain && domain.inUse ? ofDomain : this.api.apiEndpoint;
    this.urls = [...(ofDomain ? [ofDomain] : []), this.api.apiEndpoint];
  }

  /** Host name in `url`. */
  get host(): string {
    const [afterScheme, beforePort] = [2, 0];
    return Fn.select(beforePort, Fn.split(':', Fn.select(afterScheme, Fn.split('/', this.url))));
  }

  /** Binds the URL to which asynchronous targets report. */
  callback(): Binding<'CALLBACK_URL'> {
    return settings({ CALLBACK_URL: this.url + ATTEMPTS_PATH });
  }

  /** Adds routes for GET and HEAD that need no token. `reason`: why they need none. */
  routeOpenly(paths: readonly string[], to: IFunction, reason: string): void {
    const integration = new HttpLambdaIntegration('Files', to, { scopePermissionToRoute: false });
    for (const path of paths) {
      const routes = this.api.addRoutes({
        path,
        methods: [HttpMethod.GET, HttpMethod.HEAD],
        integration,
        authorizer: new HttpNoneAuthorizer(),
      });
      for (const route of routes) Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    }
  }

  /** Its DNS record is the operator's, and points to the domain's regional name. */
  private addDomain(
    { name, certificateArn }: NonNullable<StageConfig['domain']>,
    stage: HttpStage,
  ): DomainName {
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    const domain = new DomainName(this, 'Domain', { domainName: name, certificate });
    new ApiMapping(this, 'Mapping', { api: this.api, domainName: domain, stage });
    return domain;
  }

  /** Binds the URL of the console, to which messages of notifications link. */
  console(): Binding<'CONSOLE_URL'> {
    return settings({ CONSOLE_URL: `${this.url}/console` });
  }

  /**
   * Adds one API Gateway route for each path of the route table. It takes any method: HEAD is answered where
   * GET is, and what a path does not have is 405 in place of API Gateway's 404. A route for each method would
   * take a third more resources. All are integrated with the api function but the claims of workers. The
   * authorizer's function says whose a token is.
   */
  routeTo({ api, worker, authorizer }: Record<'api' | 'worker' | 'authorizer', PipelineFunction>): void {
    const byToken = new HttpLambdaAuthorizer('Authorizer', authorizer.lambda, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      identitySource: ['$request.header.Authorization'],
      resultsCacheTtl: AUTHORIZER_TTL,
    });
    const open = new HttpNoneAuthorizer();
    // One permission for the whole API: one per route could exceed the size limit of the function's policy.
    const integration = new HttpLambdaIntegration('Function', api.lambda, { scopePermissionToRoute: false });
    const waiting = new HttpLambdaIntegration('Worker', worker.lambda, { scopePermissionToRoute: false });
    for (const [path, auth] of authOfPaths()) {
      const reason = OPEN[auth];
      const [route] = this.api.addRoutes({
        path,
        methods: [HttpMethod.ANY],
        integration: path === CLAIM_PATH ? waiting : integration,
        authorizer: reason ? open : byToken,
      });
      if (reason && route) Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    }
  }
}
