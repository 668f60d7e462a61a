import { createHash } from 'node:crypto';

import { ArnFormat, Fn, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  type CfnApi,
  CfnDeployment,
  type CfnStage,
  DomainName,
  HttpApi as Api,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { MONITORS_PATH, PING_PATHS } from '../../lambdas/core/contracts/ping-routes';
import { ATTEMPTS_PATH } from '../../lambdas/core/contracts/routes';
import type { StageConfig } from '../config/stage-config';
import { apiBody, type RouteTarget } from './api-body';
import { type Binding, settings } from './binding';
import { type ApiFunction, apiFunctionName, deploymentOf } from './deployment-name';

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

/** On each path of pings. */
const PINGS_PER_SEC = 200;
const NEW_MONITORS_PER_SEC = 20;

const API_GATEWAY = new ServicePrincipal('apigateway.amazonaws.com');

/** The functions that API Gateway invokes. A deployment may have no console. */
type ApiFunctions = Readonly<Record<Exclude<ApiFunction, 'console'>, IFunction> & { console?: IFunction }>;

/** The settings of a route whose callers have no token. */
const throttled = (path: string, perSec: number) =>
  [`ANY ${path}`, { ThrottlingRateLimit: perSec, ThrottlingBurstLimit: 2 * perSec }] as const;

/**
 * The HTTP API. It is created before its functions, because functions get its URL; `routeTo` adds the routes.
 * They are one document (`api-body.ts`), which names the functions by names that are known before them.
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
  private readonly stage: HttpStage;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: HttpApiProps,
  ) {
    super(scope, id);
    const { config } = props;
    const name = deploymentOf(this);
    this.api = new Api(this, 'Api', { apiName: name, createDefaultStage: false });
    this.accessLog = new LogGroup(this, 'AccessLog', {
      // For any other name, API Gateway adds to the account's log resource policy, which has a limit.
      logGroupName: `/aws/vendedlogs/${name}-Access`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: false,
      throttle: { rateLimit: config.requestsPerSec, burstLimit: config.requestBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    // Strangers may not use up what the API may serve.
    (this.stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries([
      ...PING_PATHS.map((path) => throttled(path, PINGS_PER_SEC)),
      throttled(MONITORS_PATH, NEW_MONITORS_PER_SEC),
    ]);
    this.domain = config.domain && this.addDomain(config.domain);
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

  /** Binds the URL where the function of pings asks for a new monitor. */
  monitors(): Binding<'MONITORS_URL'> {
    return settings({ MONITORS_URL: this.url + MONITORS_PATH });
  }

  /** Its DNS record is the operator's, and points to the domain's regional name. */
  private addDomain({ name, certificateArn }: NonNullable<StageConfig['domain']>): DomainName {
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    const domain = new DomainName(this, 'Domain', { domainName: name, certificate });
    new ApiMapping(this, 'Mapping', { api: this.api, domainName: domain, stage: this.stage });
    return domain;
  }

  /** Binds the URL of the console, to which messages of notifications link. */
  console(): Binding<'CONSOLE_URL'> {
    return settings({ CONSOLE_URL: `${this.url}/console` });
  }

  /** Imports the routes, releases them, and lets API Gateway invoke the functions. */
  routeTo({ authorizer, ...targets }: ApiFunctions): void {
    const given = Object.entries(targets) as [RouteTarget, IFunction][];
    const body = apiBody({
      title: deploymentOf(this),
      targets: given.map(([name]) => name),
      allowedOrigins: this.props.config.allowedOrigins ?? [],
      uriOf: (name) => this.uriOf(name),
    });
    this.import(body);
    this.release(body);
    for (const [name, fn] of given) this.allow(name, fn, '*/*/*');
    this.allow('authorizer', authorizer, 'authorizers/*'); // the import gives it an id
  }

  private import(body: object): void {
    const api = this.api.node.defaultChild as CfnApi;
    const tags = () =>
      Object.entries(api.tags.tagValues()).map(([name, value]) => ({
        name,
        'x-amazon-apigateway-tag-value': value,
      }));
    api.body = { ...body, tags: Lazy.any({ produce: tags }) };
    // What an import would leave out fails the deployment.
    api.failOnWarnings = true;
    // The body has them.
    for (const property of ['Name', 'ProtocolType', 'Tags']) api.addPropertyDeletionOverride(property);
  }

  /**
   * A stage serves a snapshot of the routes. Another body makes another snapshot. So no request meets an
   * import that is under way.
   */
  private release(body: object): void {
    const text = JSON.stringify(Stack.of(this).resolve(body));
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
    const { ref } = new CfnDeployment(this, `Deployment${digest}`, { apiId: this.api.apiId });
    (this.stage.node.defaultChild as CfnStage).deploymentId = ref;
  }

  /** One permission for the whole API: one per route could exceed the size limit of the function's policy. */
  private allow(name: ApiFunction, fn: IFunction, requests: string): void {
    const sourceArn = Stack.of(this).formatArn({
      service: 'execute-api',
      resource: this.api.apiId,
      resourceName: requests,
    });
    fn.addPermission(`Invoke-${name}`, { principal: API_GATEWAY, scope: this, sourceArn });
  }

  private uriOf(name: ApiFunction): string {
    const stack = Stack.of(this);
    const arn = stack.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: apiFunctionName(this, name),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return stack.formatArn({
      ...{ service: 'apigateway', account: 'lambda' },
      resource: `path/2015-03-31/functions/${arn}/invocations`,
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
  }
}
