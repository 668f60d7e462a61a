import { noQuotas } from '../../support/no-quotas';
import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';

import type * as Api from '../../../lambdas/api/handler';
import type { HttpEvent } from '../../../lambdas/api/http/http-event';
import type { ApiEnv } from '../../../lambdas/core/contracts/env';

const ENV: Record<keyof z.input<typeof ApiEnv>, string> = {
  DEPLOYMENT: 'Quarterjack-test',
  EVENT_BUS: 'bus',
  LIFECYCLE_EVENTS: 'failures',
  JOBS_TABLE: 'Jobs',
  EXECUTIONS_TABLE: 'Executions',
  SCHEDULE_TABLE: 'Schedule',
  EXECUTION_QUEUES: JSON.stringify({ url: 'https://sqs.test/App-default-highest', pools: ['default'] }),
  USER_RATE_LIMITS: JSON.stringify({ default: 50 }),
  SCAN_QUEUE_URL: 'https://sqs.test/scan',
  SWEEP_QUEUE_URL: 'https://sqs.test/sweep',
  TICK_SCHEDULE: 'tick',
  STAGE: 'test',
  VERSION: '0.0.0',
  SHARD_COUNT: '4',
  TARGET_POLICY: 'public',
  API_HOST: 'api.test',
  TARGET_HOSTS: '[]',
  PRIVATE_HOSTS: '{}',
  PRIVATE_NETWORKS: '{}',
  SIGNED_CALLS: '{}',
  ...{ ALLOWED_ACTIONS: '{}', ADDED_ACTIONS: '{}', ACTIONS_PATH: '' },
  TARGET_ARNS: '{}',
  ADDED_TARGET_ARNS: '{}',
  TARGET_ROLES: '{}',
  ERRANDS: '[]',
  ERRAND_OVERRIDES: 'false',
  SIGN_IN_LISTS: '{"scopes":[],"callbackUrls":[]}',
  RETENTION_DAYS: '30',
  HORIZON_SEC: '180',
  QUOTAS: JSON.stringify({ ...noQuotas.quotaLimits, jobs: 100 }),
  SIGNING_LEGACY: 'on',
  SIGNING_SECRET_ARN: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:signing',
  SIGN_IN: 'null',
  CONSOLE_URL: 'https://api.test/console',
  DASHBOARD: 'Quarterjack-test-eu-central-1',
  EMAIL_TOPIC_ARN: 'arn:aws:sns:eu-central-1:111122223333:mails',
  JOURNAL: 'off',
  SAMPLING: 'null',
};

const CONTEXT = { awsRequestId: 'r', functionName: 'api', getRemainingTimeInMillis: () => 10_000 } as Context;

/** A cold start. */
function loadHandler() {
  const { handler } = jest.requireActual<typeof Api>('../../../lambdas/api/handler');
  return (event: HttpEvent) => handler(event, CONTEXT);
}

describe('the Lambda handler', () => {
  const before = { ...process.env };
  beforeEach(() => jest.resetModules());
  afterEach(() => {
    process.env = { ...before };
  });

  it('answers what API Gateway sends', async () => {
    Object.assign(process.env, ENV, { AWS_REGION: 'eu-west-1' });
    const call = loadHandler();
    const requestContext = { requestId: 'r' };
    expect(await call({ routeKey: 'GET /v1/health', requestContext })).toMatchObject({
      statusCode: 200,
      body: '{"status":"pass"}',
    });
    expect(await call({ routeKey: 'GET /v1/jobs', requestContext })).toMatchObject({ statusCode: 401 });
    expect(await call({ routeKey: '$default', requestContext })).toMatchObject({ statusCode: 404 });
  });

  it('does not start without its environment variables', () => {
    Object.assign(process.env, ENV);
    delete process.env.JOBS_TABLE;
    process.env.TARGET_POLICY = 'anything';
    expect(loadHandler).toThrow(/JOBS_TABLE is missing.*TARGET_POLICY/);
  });
});
