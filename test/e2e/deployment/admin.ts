import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

import { readRunFile } from '../../../local/run/run-file';
import { deadLettersOf } from '../../../scripts/redrive/redrive';
import { apiCaller } from '../../support/api-caller';
import { eventually } from '../../support/eventually';
import { aMessage } from '../../support/factories';
import type { RunningSystem } from '../../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

interface QueueStatus {
  name: string;
  waiting: number;
  dead: number;
}

let system: RunningSystem;
let receiver: LoopbackServer;
let admin: ReturnType<typeof apiCaller>;
let sqs: SQSClient;
const bodies: string[] = [];

const queuesOf = async (): Promise<Record<string, QueueStatus>> => {
  const { body } = await admin('GET', '/v1/admin/status');
  const { queues } = body as { queues: QueueStatus[] };
  return Object.fromEntries(queues.map((queue) => [queue.name, queue]));
};

/** What operators do about dead letters and stops. */
export function describeAdmin(given: () => RunningSystem): void {
  describe('what operators do', () => {
    beforeAll(async () => {
      receiver = await listenOnLoopback((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          bodies.push(body);
          response.writeHead(400).end();
        });
      });
      system = given();
      admin = apiCaller(system.url, await system.token('operator', 'admin'));
      const { awsEndpointUrl: endpoint, region, operator: credentials } = readRunFile(system.url)!;
      sqs = new SQSClient({ endpoint, region, credentials });
    });

    afterAll(async () => {
      sqs?.destroy();
      receiver.stop();
    });

    test('an operator sees dead letters, and moves some of them back to their queue', async () => {
      const { stackName, awsEndpointUrl } = readRunFile(system.url)!;
      const all = await deadLettersOf(sqs, stackName);
      const { name } = all.find(({ sources }) => sources[0]!.endsWith('-default-medium'))!;
      const [, account] = /:(\d{12}):/.exec(all[0]!.arn)!;
      await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: `${awsEndpointUrl}/${account}/${name}`,
          Entries: [1, 2, 3].map((index) => ({
            Id: String(index),
            // The job does not exist: the executor finds nothing to run.
            MessageBody: JSON.stringify(
              aMessage({ jobKey: 'gone/gone', dueAtMs: Date.now(), startAtMs: Date.now() }),
            ),
          })),
        }),
      );
      expect(Object.keys(await queuesOf())).toEqual([
        ...['highest', 'high', 'medium', 'low', 'lowest', 'overflow', 'long'].map(
          (lane) => `default/${lane}`,
        ),
        'scan',
        'sweep',
      ]);
      expect((await queuesOf())['default/medium']).toMatchObject({ dead: 3 });
      expect(await admin('POST', '/v1/admin/redrive', { queue: 'default/medium', max: 2 })).toMatchObject({
        status: 200,
        body: { queue: 'default/medium', moved: 2 },
      });
      expect((await queuesOf())['default/medium']).toMatchObject({ dead: 1 });
      const rest = await admin('POST', '/v1/admin/redrive', { queue: 'default/medium', max: 1_000 });
      expect(rest.body).toEqual({ queue: 'default/medium', moved: 1 });
      await eventually(queuesOf, (queues) => queues['default/medium']!.waiting === 0);
      expect(system.denials()).toEqual([]);
    });

    test('a retry brings another payload to the target', async () => {
      const api = apiCaller(system.url, await system.token('alice'));
      const target = { type: 'http', url: `${receiver.url}/hook` };
      await api('POST', '/v1/jobs', {
        jobId: 'once',
        schedule: { type: 'delay', delay: '1s' },
        target,
        payload: { invoice: 42 },
      });
      await eventually(
        async () => bodies.length,
        (count) => count === 1,
      );
      const execution = await eventually(
        async () => {
          const { body } = await api('GET', '/v1/jobs/once/executions');
          return (body as { items: { execId: string; status: string }[] }).items[0]!;
        },
        ({ status }) => status === 'failed',
      );
      const path = `/v1/jobs/once/executions/${execution.execId}/retry`;
      expect((await api('POST', path, { payload: { invoice: 43 } })).status).toBe(202);
      await eventually(
        async () => bodies.length,
        (count) => count === 2,
      );
      expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([{ invoice: 42 }, { invoice: 43 }]);
    });

    // Last: for some seconds after a start, functions still have the stop in their caches.
    test('stops are on record', async () => {
      expect((await admin('POST', '/v1/admin/stop', { reason: 'a rehearsal' })).body).toMatchObject({
        stops: [{ by: 'operator', reason: 'a rehearsal', startedAt: null, startedBy: null }],
      });
      expect((await admin('POST', '/v1/admin/redrive', { queue: 'scan', max: 1 })).status).toBe(409);
      const { body } = await admin('POST', '/v1/admin/start');
      expect(body).toMatchObject({
        state: 'running',
        stops: [{ reason: 'a rehearsal', startedBy: 'operator' }],
      });
      expect(system.denials()).toEqual([]);
    });

    test('an operator stops the deployment and starts it again, by its own schedule', async () => {
      const headers = { authorization: `Bearer ${await system.token('operator', 'admin')}` };
      const ask = async (method: string, path: string) => {
        const answer = await fetch(`${system.url}/v1/admin/${path}`, { method, headers });
        return [answer.status, (await answer.json()) as unknown];
      };
      const running = [200, expect.objectContaining({ state: 'running', tick: 'on', stoppedBy: null })];
      const stopped = [
        200,
        expect.objectContaining({ state: 'stopped', tick: 'off', stoppedBy: 'operator' }),
      ];
      expect(await ask('GET', 'status')).toEqual(running);
      expect(await ask('POST', 'stop')).toEqual(stopped);
      expect(await ask('GET', 'status')).toEqual(stopped);
      expect(await ask('POST', 'start')).toEqual(running);
      expect(await ask('GET', 'status')).toEqual(running);
    });
  });
}
