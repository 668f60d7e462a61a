import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as z from 'zod/mini';

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
      /^environment: SHARD_COUNT is "0": must be at least 1; SCAN_QUEUE_URL is "": .*; SWEEP_QUEUE_URL is missing$/,
    );
  });

  it('reads the queues of all pools from the URL of one, and says if it is another', () => {
    const env = {
      DEPLOYMENT: 'Quarterjack-test',
      METRICS_BY_PRIORITY: 'off',
      EVENT_BUS: 'bus',
      EMAIL_TOPIC_ARN: 'arn:aws:sns:eu-central-1:1:mails',
      LIFECYCLE_EVENTS: 'failures',
      ...{ JOBS_TABLE: 'jobs', EXECUTIONS_TABLE: 'executions', SCHEDULE_TABLE: 'schedule' },
      ...{ TARGET_POLICY: 'public', API_HOST: 'api.test' },
      TARGET_HOSTS: '["example.com","*.example.org"]',
      TARGET_ARNS: '{"*":["arn:1"]}',
      ADDED_TARGET_ARNS: '{"a":["arn:2","arn:3{,:*}"]}',
      ERRANDS: '["durable"]',
      ERRAND_OVERRIDES: 'true',
      ...{ ECS_CLUSTERS: '{}', ADDED_ECS_CLUSTERS: '{}' },
      ...{ ACTIONS_ROLE_ARN: '', VPC_POOL: '' },
      ...{ PRIVATE_HOSTS: '{}', PRIVATE_NETWORKS: '{}', SIGNED_CALLS: '{}' },
      ...{ ALLOWED_ACTIONS: '{}', ADDED_ACTIONS: '{}', ACTIONS_PATH: '' },
      SAMPLING: 'null',
      TARGET_ROLES: '{"*":{"roleArn":"arn","externalId":"q"}}',
      RETENTION_DAYS: '30',
      QUOTAS: JSON.stringify(noQuotas.quotaLimits),
      HORIZON_SEC: '180',
      ...{ SIGNING_LEGACY: 'on', SIGNING_SECRET_ARN: 'arn' },
      CALLBACK_URL: 'https://api/v1/attempts',
      USER_RATE_LIMITS: '{"default":50}',
      LANE_LIMITS: '{"default":[10,5,5,2,1]}',
    };
    const url = 'https://sqs.test/1/App-default-highest';
    const EXECUTION_QUEUES = JSON.stringify({ url, pools: ['default', 'heavy'] });
    const loaded = loadEnv(ExecutorEnv, { ...env, EXECUTION_QUEUES });
    expect(loaded.EXECUTION_QUEUES).toMatchObject({
      default: { highest: url, long: 'https://sqs.test/1/App-default-long' },
      heavy: {
        highest: 'https://sqs.test/1/App-heavy-highest',
        overflow: 'https://sqs.test/1/App-heavy-overflow',
      },
    });
    const shared = JSON.stringify({ url, pools: ['default'], queues: 'shared' });
    expect(loadEnv(ExecutorEnv, { ...env, EXECUTION_QUEUES: shared }).EXECUTION_QUEUES.default).toEqual({
      ...{ highest: url, high: url, medium: url, low: url, lowest: url, overflow: url },
      long: 'https://sqs.test/1/App-default-long',
    });
    const beside = { ...env, TARGET_POLICY: 'loopback,app,192.168.1.7', EXECUTION_QUEUES };
    expect(loadEnv(ExecutorEnv, beside).TARGET_POLICY).toEqual({ privateHosts: ['app', '192.168.1.7'] });
    expect(() => loadEnv(ExecutorEnv, { ...beside, TARGET_POLICY: 'public,app' })).toThrow(/TARGET_POLICY/);
    expect(loaded.ERRANDS).toEqual(['durable']);
    expect(loaded.ADDED_TARGET_ARNS).toEqual({ a: ['arn:2', 'arn:3', 'arn:3:*'] });
    expect(loaded.TARGET_HOSTS).toEqual(['example.com', '*.example.org']);
    expect(loadEnv(ExecutorEnv, { ...env, TARGET_HOSTS: '[]', EXECUTION_QUEUES }).TARGET_HOSTS).toEqual([]);
    const other = JSON.stringify({ url: 'https://sqs.test/1/App-dead-scan', pools: ['default'] });
    expect(() => loadEnv(ExecutorEnv, { ...env, EXECUTION_QUEUES: other })).toThrow(
      /EXECUTION_QUEUES is .*: expected the URL of the first queue/,
    );
    expect(() => loadEnv(ExecutorEnv, { ...env, EXECUTION_QUEUES: '{' })).toThrow(
      /EXECUTION_QUEUES.*is not JSON/,
    );
  });

  it('reads the settings file too, where values need not be texts, and a variable counts rather than it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarterjack-settings-'));
    const SETTINGS_FILE = join(folder, 'settings.json');
    const schema = z.pick(ExecutorEnv, { TARGET_HOSTS: true, LANE_LIMITS: true });
    try {
      writeFileSync(
        SETTINGS_FILE,
        JSON.stringify({ TARGET_HOSTS: ['example.com'], LANE_LIMITS: {}, UNREAD: 1 }),
      );
      expect(loadEnv(schema, { SETTINGS_FILE })).toEqual({ TARGET_HOSTS: ['example.com'], LANE_LIMITS: {} });
      expect(loadEnv(schema, { SETTINGS_FILE, TARGET_HOSTS: '[]' }).TARGET_HOSTS).toEqual([]);
      writeFileSync(SETTINGS_FILE, JSON.stringify({ TARGET_HOSTS: [''] }));
      expect(() => loadEnv(schema, { SETTINGS_FILE })).toThrow(
        /TARGET_HOSTS is .* at 0: .*; LANE_LIMITS is missing/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
