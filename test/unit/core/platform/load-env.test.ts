import { LANES } from '../../../../lambdas/core/contracts/pools';
import { ExecutorEnv, TickEnv } from '../../../../lambdas/core/contracts/env';
import { loadEnv } from '../../../../lambdas/core/platform/load-env';
import { noQuotas } from '../../../support/no-quotas';

describe('loadEnv', () => {
  const tick = {
    DEPLOYMENT: 'Quarterjack-test',
    SCHEDULE_TABLE: 'schedule',
    SHARD_COUNT: '16',
    SCAN_QUEUE_URL: 'https://scan',
    SWEEP_QUEUE_URL: 'https://sweep',
  };

  it('gives what the schema promises, and nothing else', () => {
    expect(loadEnv(TickEnv, { ...tick, PATH: '/bin' })).toEqual({ ...tick, SHARD_COUNT: 16 });
  });

  it('names all that is missing or invalid in one error', () => {
    const env = { ...tick, SHARD_COUNT: '0', SCAN_QUEUE_URL: '', SWEEP_QUEUE_URL: undefined };
    expect(() => loadEnv(TickEnv, env)).toThrow(
      /^environment: SHARD_COUNT is "0": .*>=1; SCAN_QUEUE_URL is "": .*; SWEEP_QUEUE_URL is missing$/,
    );
  });

  it('reads the queues, and says where a pool lacks one', () => {
    const queues = Object.fromEntries(LANES.map((lane) => [lane, `https://${lane}`]));
    const env = {
      DEPLOYMENT: 'Quarterjack-test',
      METRICS_BY_PRIORITY: 'off',
      EVENT_BUS: 'bus',
      EMAIL_TOPIC_ARN: 'arn:aws:sns:eu-central-1:1:mails',
      LIFECYCLE_EVENTS: 'failures',
      JOBS_TABLE: 'jobs',
      EXECUTIONS_TABLE: 'executions',
      SCHEDULE_TABLE: 'schedule',
      TARGET_POLICY: 'public',
      TARGET_HOSTS: 'example.com,*.example.org',
      TARGET_ARNS: '',
      TARGET_ROLES: '{"*":{"roleArn":"arn","externalId":"q"}}',
      RETENTION_DAYS: '30',
      QUOTAS: JSON.stringify(noQuotas.quotaLimits),
      HORIZON_SEC: '180',
      SIGNING_LEGACY: 'on',
      SIGNING_SECRET_ARN: 'arn',
      CALLBACK_URL: 'https://api/v1/attempts',
      USER_RATE_LIMITS: '{"default":50}',
      LANE_LIMITS: '{"default":[10,5,5,2,1]}',
    };
    const loaded = loadEnv(ExecutorEnv, { ...env, EXECUTION_QUEUES: JSON.stringify({ default: queues }) });
    expect(loaded.EXECUTION_QUEUES).toEqual({ default: queues });
    const named = JSON.stringify({ heavy: 'https://sqs.test/1/App-heavy-highest' });
    expect(loadEnv(ExecutorEnv, { ...env, EXECUTION_QUEUES: named }).EXECUTION_QUEUES.heavy).toMatchObject({
      highest: 'https://sqs.test/1/App-heavy-highest',
      overflow: 'https://sqs.test/1/App-heavy-overflow',
      long: 'https://sqs.test/1/App-heavy-long',
    });
    const beside = { ...env, TARGET_POLICY: 'loopback,app,192.168.1.7', EXECUTION_QUEUES: '{}' };
    expect(loadEnv(ExecutorEnv, beside).TARGET_POLICY).toEqual({ privateHosts: ['app', '192.168.1.7'] });
    expect(() => loadEnv(ExecutorEnv, { ...beside, TARGET_POLICY: 'public,app' })).toThrow(/TARGET_POLICY/);
    expect(loaded.TARGET_HOSTS).toEqual(['example.com', '*.example.org']);
    expect(loadEnv(ExecutorEnv, { ...env, TARGET_HOSTS: '', EXECUTION_QUEUES: '{}' }).TARGET_HOSTS).toEqual(
      [],
    );
    const { low: _low, ...lacking } = queues;
    expect(() =>
      loadEnv(ExecutorEnv, { ...env, EXECUTION_QUEUES: JSON.stringify({ gpu: lacking }) }),
    ).toThrow(/EXECUTION_QUEUES is .* at gpu\.low: /);
    expect(() => loadEnv(ExecutorEnv, { ...env, EXECUTION_QUEUES: '{' })).toThrow(
      /EXECUTION_QUEUES.*is not JSON/,
    );
  });
});
