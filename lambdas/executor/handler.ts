import { ExecutorEnv } from '../core/contracts/env';
import { ExecutionMessage } from '../core/contracts/messages';
import { eitherAllows, hostsWithOwn, privateAccessOf } from '../core/contracts/target-resources';
import { sealAttemptToken } from '../core/delivery/attempt-token';
import { type AwsPolicy, regionAndAccountOf } from '../core/delivery/aws-policy';
import { actionsOf } from '../core/delivery/actions/read-actions';
import { accessTokens } from '../core/delivery/call/access-tokens';
import { assumedRoles, boundRoles } from '../core/delivery/call/assumed-roles';
import { callerOf } from '../core/delivery/call/call-target';
import { earlyConnections } from '../core/delivery/call/early-connections';
import type { HttpSettings } from '../core/delivery/call/http';
import { signerFor } from '../core/delivery/call/signed-target';
import { tlsAgents } from '../core/delivery/call/tls-agents';
import { secretReader } from '../core/delivery/secrets/secret-values';
import { errandStarts } from '../core/delivery/errands/errand-calls';
import { errandPrefixOf } from '../core/delivery/errands/errand-name';
import { signingSecrets } from '../core/delivery/signing/signing-secrets';
import { traceHeadersOf } from '../core/delivery/trace-ids';
import { forOverflow } from '../core/platform/compose';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { secretsManagerKeys, secretsManagerSecret } from '../core/platform/secrets-manager-secret';
import { sqsBatchHandler } from '../core/platform/sqs-handler';
import { isOverflow } from '../core/queue/sqs/sqs-execution-queue';
import { CallMeter } from './call-meter';
import type { ExecutorDeps } from './deps';
import { executeBatch } from './execute-batch';
import { exceedsLaneLimit } from './lane-limit';
import { startErrand } from './start-errand';

const env = loadEnv(ExecutorEnv, process.env);
const observability = observabilityOf('executor', env);
const secret = secretsManagerSecret(env.SIGNING_SECRET_ARN);
const composed = lambdaDeps('executor', env, observability, { liveRuns: env.QUOTAS.liveRuns });
const { clock, secrets, users } = composed;

const privateHosts = { networks: env.PRIVATE_NETWORKS, hosts: env.PRIVATE_HOSTS };
const http: HttpSettings = {
  policy: env.TARGET_POLICY,
  allowedHosts: hostsWithOwn(env.TARGET_HOSTS, env.API_HOST),
  nowMs: () => clock.nowMs(),
  ...(env.VPC_POOL !== '' && {
    privateAccess: (project: string) => privateAccessOf(privateHosts, env.VPC_POOL, project),
  }),
};
const early = earlyConnections(http);
const keys = secretsManagerKeys(env.SIGNING_SECRET_ARN, clock);

const readSecret = secretReader({ secrets, keys, clock });

const aws: AwsPolicy = {
  ...regionAndAccountOf(env.SIGNING_SECRET_ARN),
  stackName: env.DEPLOYMENT,
  allowedArns: eitherAllows(env.TARGET_ARNS, env.ADDED_TARGET_ARNS),
  loopback: env.TARGET_POLICY !== 'public',
  errands: env.ERRANDS,
  allowOverrides: env.ERRAND_OVERRIDES,
  signed: env.SIGNED_CALLS,
  actions: actionsOf(env),
  roles: env.TARGET_ROLES,
};
const roleFor = assumedRoles(env.TARGET_ROLES, { clock });
const boundRoleFor = boundRoles(env.TARGET_ROLES, env.ACTIONS_ROLE_ARN, { clock });

const deps: ExecutorDeps = {
  ...composed,
  errandStarts: errandStarts(errandPrefixOf(aws), aws, roleFor, {
    ...env.ECS_CLUSTERS,
    ...env.ADDED_ECS_CLUSTERS,
  }),
  startErrand,
  callMeter: new CallMeter(composed),
  exceedsLaneLimit: exceedsLaneLimit(env.LANE_LIMITS, composed),
  connectEarly: early.connect,
  call: callerOf({
    http,
    early,
    secrets: {
      read: readSecret,
      tokens: accessTokens({ secrets, keys, http, clock, random: composed.random, log: composed.log }),
      agents: tlsAgents(),
      signer: signerFor(aws, boundRoleFor),
    },
    aws,
    actions: { boundRoleFor, endpoint: process.env.AWS_ENDPOINT_URL },
    emailTopicArn: env.EMAIL_TOPIC_ARN,
    incidents: { alerts: composed.alerts, deployment: env.DEPLOYMENT },
    roleFor,
  }),
  signingSecrets: signingSecrets({ users, secret, clock, legacy: env.SIGNING_LEGACY === 'on' }),
  traceHeaders: async (execution, of, target) =>
    traceHeadersOf(execution, of, target, { secret: await secret.get(), sampling: env.SAMPLING }),
  logLimits: env.QUOTAS,
  secretUrl: async (project, name) => (await readSecret(project, name))?.value,
  reportBy: async (lease, by) => ({
    callbackUrl: env.CALLBACK_URL,
    token: sealAttemptToken(lease, await secret.get(), by),
  }),
};
const overflowDeps = forOverflow(deps);

export const handler = sqsBatchHandler(ExecutionMessage, observability, (batch, budget, queueArn) =>
  executeBatch(batch, isOverflow(queueArn, env.EXECUTION_QUEUES) ? overflowDeps : deps, budget),
);
