import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import type { Check } from '../../../cli/doctor/check';
import type { Io } from '../../../cli/io';
import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import { readRunFile } from '../../../local/run/run-file';
import { deadLettersOf } from '../../../scripts/redrive/redrive';
import { apiCaller } from '../../support/api-caller';
import type { RunningSystem } from '../../support/local-run';
import { listenOnLoopback } from '../../support/loopback-server';
import { runLine } from './terminal';

const SCOPES = 'jobs:read jobs:write admin';

/** What the doctor says of a healthy run, and of broken ones. */
export function describeDoctor(given: () => RunningSystem): void {
  let system: RunningSystem;
  beforeAll(() => (system = given()));

  /** Its exit code, and the checks that are no `ok`. */
  async function examine({
    scope = SCOPES,
    url = system.url,
    token,
    ...io
  }: { scope?: string; url?: string; token?: string } & Partial<Io> = {}) {
    const env = { QUARTERJACK_URL: url, QUARTERJACK_TOKEN: token ?? (await system.token('doctor', scope)) };
    const { exitCode, stdout } = await runLine(['doctor', '--json'], env, io);
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] };
    expect(ok).toBe(exitCode === 0);
    for (const { level, advice } of checks) if (level !== 'ok') expect(advice).toBeTruthy();
    return { exitCode, problems: checks.filter(({ level }) => level === 'problem'), checks };
  }

  describe('doctor', () => {
    test('finds nothing on a healthy run', async () => {
      const { exitCode, checks } = await examine();
      const levels = Object.fromEntries(checks.map(({ name, level }) => [name, level]));
      expect(levels).toEqual({
        ...{ server: 'ok', clock: 'ok', token: 'ok', scopes: 'ok', scheduler: 'ok' },
        ...{ 'scan lag': 'ok', 'sweep lag': 'ok', lanes: 'ok', 'dead letters': 'ok', alarms: 'unknown' },
        ...{ 'due jobs': 'ok', failures: 'ok', workers: 'ok', quotas: 'ok' },
      });
      expect(exitCode).toBe(0);
    });

    test('says what to do, a line for each', async () => {
      const env = {
        QUARTERJACK_URL: system.url,
        QUARTERJACK_TOKEN: await system.token('doctor', 'jobs:read'),
      };
      const { stdout, exitCode } = await runLine(['doctor'], env);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^✓ server {8}server \S+ \(API v1\), command line \S+\n✓ clock/);
      expect(stdout).toMatch(
        /^\? deployment .+\n +→ needs a token with the scope admin; .+ quarterjack token --scope admin /m,
      );
    });

    test('a wrong clock', async () => {
      const { problems } = await examine({ nowMs: () => Date.now() + 600_000 });
      expect(problems).toEqual([
        expect.objectContaining({ name: 'clock', text: expect.stringMatching(/^(599|600|601) s ahead of/) }),
      ]);
      const behind = await examine({ nowMs: () => Date.now() - 600_000 });
      expect(behind.problems[0]!.text).toMatch(/s behind/);
    });

    test('an expired token, and none', async () => {
      const issuer = await openIssuer(ISSUER_DIR);
      const asked = { user: 'doctor', scope: SCOPES, ttlSec: 60, nowMs: Date.now() - 120_000 };
      const token = await issuer.token(asked);
      const { problems, exitCode } = await examine({ token });
      expect([exitCode, problems]).toEqual([
        1,
        [expect.objectContaining({ name: 'token', text: 'the token has expired' })],
      ]);
      expect((await examine({ token: '' })).problems[0]).toMatchObject({ name: 'token' });
    });

    test('a token without scopes, or without one to read', async () => {
      const { problems } = await examine({ scope: 'openid' });
      expect(problems).toEqual([expect.objectContaining({ name: 'scopes', text: 'the token has no scope' })]);
      const { problems: unreadable } = await examine({ scope: 'work' });
      expect(unreadable[0]!.text).toMatch(/cannot read jobs/);
    });

    test('dead letters', async () => {
      const { stackName, awsEndpointUrl: endpoint, region, operator: credentials } = readRunFile(system.url)!;
      const sqs = new SQSClient({ endpoint, region, credentials });
      try {
        const all = await deadLettersOf(sqs, stackName);
        const { name, arn } = all.find(({ sources }) => sources[0]!.endsWith('-default-low'))!;
        const [, account] = /:(\d{12}):/.exec(arn)!;
        await sqs.send(
          new SendMessageCommand({ QueueUrl: `${endpoint}/${account}/${name}`, MessageBody: '{}' }),
        );
      } finally {
        sqs.destroy();
      }
      const { problems } = await examine();
      expect(problems).toEqual([
        {
          name: 'dead letters',
          level: 'problem',
          text: '1 of default/low',
          advice: expect.stringContaining('quarterjack admin redrive default/low'),
        },
      ]);
    });

    test('a stopped scheduler, also for who is no operator', async () => {
      const admin = apiCaller(system.url, await system.token('operator', 'admin'));
      await admin('POST', '/v1/admin/stop', {});
      try {
        const { problems } = await examine();
        expect(problems).toContainEqual(
          expect.objectContaining({
            name: 'scheduler',
            text: expect.stringMatching(/in maintenance mode since .+ by operator/),
            advice: expect.stringContaining('quarterjack admin start'),
          }),
        );
      } finally {
        await admin('POST', '/v1/admin/start');
      }
    });

    /** The real server, whose status is another one. */
    const withStatus = (change: (status: { queues: object[]; scan: object }) => void) => ({
      connection: {
        surroundings: {
          sleep: () => Promise.resolve(),
          fetch: async (request: Request) => {
            const response = await fetch(request);
            if (!request.url.endsWith('/v1/admin/status')) return response;
            const status = (await response.json()) as { queues: object[]; scan: object };
            change(status);
            return new Response(JSON.stringify(status), { headers: response.headers });
          },
        },
      },
    });

    test('a lane that stands still, and not one that moves meanwhile', async () => {
      const lane = { name: 'default/high', waiting: 7, inFlight: 0, dead: 0, oldestSec: 240 };
      const { problems } = await examine(withStatus((status) => (status.queues = [lane])));
      expect(problems).toEqual([
        expect.objectContaining({
          name: 'lanes',
          text: 'default/high stands still: 7 wait, the oldest for 240 s, and none is in work',
        }),
      ]);
      let inFlight = 0;
      const moving = withStatus((status) => (status.queues = [{ ...lane, inFlight: inFlight++ }]));
      expect((await examine(moving)).problems).toEqual([]);
    });

    test('a scheduler that lags behind', async () => {
      const scan = { lagSec: 900, shards: [{ shard: 3, at: null, lagSec: 900 }] };
      const { problems } = await examine(
        withStatus((status) => {
          status.queues = [];
          status.scan = scan;
        }),
      );
      expect(problems).toEqual([
        expect.objectContaining({ name: 'scan lag', text: expect.stringMatching(/^900 s, shards 3/) }),
      ]);
    });
  });

  describe('doctor, and no such server', () => {
    const serving = async (
      answers: Record<string, [status: number, body: string]>,
      act: (url: string) => Promise<void>,
    ) => {
      const server = await listenOnLoopback((request, response) => {
        const [status, body] = answers[request.url ?? ''] ?? [404, '{"message":"Not Found"}'];
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
      try {
        await act(server.url);
      } finally {
        server.stop();
      }
    };

    test('an old server, and one of another major', async () => {
      await serving({ '/v1/health': [200, '{"status":"pass"}'] }, async (url) => {
        const { problems } = await examine({ url });
        expect(problems[0]).toMatchObject({
          name: 'server',
          text: expect.stringMatching(/has no GET \/v1\/version: it is older than this command line/),
        });
      });
      await serving({ '/v1/version': [200, '{"version":"9.0.0","api":"v2","features":[]}'] }, async (url) => {
        const { problems } = await examine({ url });
        expect(problems[0]).toMatchObject({ name: 'server', advice: 'install a command line of version 9' });
      });
    });

    test('a wrong URL: another server, a web page, and none', async () => {
      await serving({}, async (url) => {
        expect((await examine({ url })).problems).toEqual([
          expect.objectContaining({ name: 'server', text: `${url} is not the URL of a Quarterjack API` }),
        ]);
      });
      await serving({ '/v1/version': [200, '<html>'] }, async (url) => {
        expect((await examine({ url })).problems[0]!.text).toMatch(/is not JSON/);
      });
      const gone = await listenOnLoopback(() => undefined);
      gone.stop();
      const { problems, exitCode } = await examine({ url: gone.url });
      expect([exitCode, problems.map(({ name }) => name)]).toEqual([1, ['server']]);
    });
  });
}
