import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import { assemblyWith, withoutAction } from './assemblies';
import { type Receiver, startReceiver } from './receiver';

let directory: string;
let receiver: Receiver;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarterjack-identity-'));
  receiver = await startReceiver();
});
afterAll(() => {
  receiver.close();
  rmSync(directory, { recursive: true });
});

describe('a run without one of its permissions shows it', () => {
  test.each([
    ['StagesApiRole', 'dynamodb:PutItem', 'TablesJobs'],
    ['StagesExecutorRole', 'dynamodb:UpdateItem', 'TablesExecutions'],
    ['StagesTickRole', 'sqs:SendMessage', 'RequestsS'],
    ['ClockScanRole', 'lambda:InvokeFunction', 'StagesTickFunction'],
  ])('%s without %s on %s', async (role, action, resource) => {
    const assembly = await assemblyWith(directory, `${role}-less`, (resources) =>
      withoutAction(resources, role, action, resource),
    );
    const host = await Host.start({ port: 0, dataDir: undefined, assembly });
    const answer = await host.fetch('/v1/jobs', {
      method: 'POST',
      headers: { authorization: `Bearer ${host.run.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jobId: `less-${role}`,
        schedule: { type: 'delay', delay: '1s' },
        target: { type: 'http', url: `${receiver.url}/hook` },
      }),
    });
    expect(answer.ok).toBe(role !== 'StagesApiRole');
    const line = new RegExp(`AccessDenied: .*-${role}\\w+ may not ${action} on .*${resource}`);
    await eventually(
      () => host.errors,
      (errors) => line.test(errors),
    );
    if (role === 'StagesExecutorRole') expect(receiver.calls(`less-${role}`)).toBe(0);
    await host.stop();
  });
});
