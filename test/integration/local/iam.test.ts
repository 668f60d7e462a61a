import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Host } from '../../support/local/host';

const ASSEMBLY = join(__dirname, '../../support/local/assembly');
const ACCOUNT = '000000000000';
const IMPLICIT_DENY = 'because no identity-based policy allows the';

let host: Host;
afterAll(() => host.stop());

describe.each([
  ['by messages', false],
  ['by HTTP', true],
])(
  'a call, %s, that the role of the function does not permit gets the error of the service',
  (_by, awsHttp) => {
    beforeAll(async () => {
      await host?.stop();
      host = await Host.start({ port: 0, dataDir: undefined, assembly: ASSEMBLY, awsHttp });
    });

    test.each([
      [
        'BatchGetItem',
        'AccessDeniedException',
        400,
        'dynamodb:BatchGetItem',
        'dynamodb:us-east-1',
        ':table/Fixture-Table',
      ],
      [
        'QueryIndex',
        'AccessDeniedException',
        400,
        'dynamodb:Query',
        'dynamodb:us-east-1',
        ':table/Fixture-Table/index/byName',
      ],
      ['ReceiveMessage', 'AccessDenied', 403, 'sqs:receivemessage', 'sqs:us-east-1', ':Fixture-Queue'],
      ['PurgeQueue', 'AccessDenied', 403, 'sqs:purgequeue', 'sqs:us-east-1', ':Fixture-Queue'],
    ])('%s', async (call, name, status, action, service, resource) => {
      const reply = await host.fetch(`/denied/${call}`, { method: 'POST' });
      expect(await reply.json()).toEqual({
        name,
        status,
        message:
          `User: arn:aws:sts::${ACCOUNT}:assumed-role/Fixture-ApiRole/Fixture-ApiFunction is not authorized to perform: ` +
          `${action} on resource: arn:aws:${service}:${ACCOUNT}${resource} ${IMPLICIT_DENY} ${action} action`,
      });
    });

    test('a secret, under the requested name', async () => {
      const reply = await host.fetch('/denied/GetSecretValue', { method: 'POST' });
      expect(await reply.json()).toMatchObject({
        name: 'AccessDeniedException',
        message: expect.stringContaining('secretsmanager:GetSecretValue on resource: another because'),
      });
    });

    test('a Deny in the policy of the queue', async () => {
      const reply = await host.fetch('/denied/DeleteMessage', { method: 'POST' });
      expect(await reply.json()).toMatchObject({
        name: 'AccessDenied',
        message: expect.stringMatching(
          /sqs:deletemessage on .*with an explicit deny in a resource-based policy$/,
        ),
      });
    });

    test('and a line on the terminal', () => {
      expect(host.errors).toContain(
        `AccessDenied: arn:aws:iam::${ACCOUNT}:role/Fixture-ApiRole may not sqs:ReceiveMessage on`,
      );
    });
  },
);

describe('policies for AWS services', () => {
  let directory: string;
  beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'quarterjack-iam-'))));
  afterAll(() => rmSync(directory, { recursive: true }));

  /**
   * Runs the fixture with a changed template. Bundles stay in their folder, from which they can import the
   * SDK.
   */
  async function startWith(name: string, change: (resources: Record<string, any>) => void): Promise<Host> {
    const assembly = join(directory, name);
    cpSync(ASSEMBLY, assembly, { recursive: true });
    const assets = join(assembly, 'Fixture.assets.json');
    writeFileSync(assets, readFileSync(assets, 'utf8').replaceAll('"asset.', `"${ASSEMBLY}/asset.`));
    const file = join(assembly, 'Fixture.template.json');
    const template = JSON.parse(readFileSync(file, 'utf8'));
    change(template.Resources);
    writeFileSync(file, JSON.stringify(template));
    return Host.start({ port: 0, dataDir: undefined, assembly });
  }

  test('a mapping whose function may not delete messages is an error at start', async () => {
    const started = startWith('mapping', ({ ConsumerPolicy }) => {
      ConsumerPolicy.Properties.PolicyDocument.Statement[1].Action = [
        'sqs:ReceiveMessage',
        'sqs:GetQueueAttributes',
      ];
    });
    await expect(started).rejects.toThrow(
      /ConsumerMapping: .* does not have permissions to call DeleteMessage on .*:Fixture-Queue/,
    );
  });

  test('a function whose role trusts another service is an error at start', async () => {
    const started = startWith('trust', ({ ApiRole }) => {
      ApiRole.Properties.AssumeRolePolicyDocument.Statement[0].Principal.Service = 'ec2.amazonaws.com';
    });
    await expect(started).rejects.toThrow('ApiFunction: its role cannot be assumed by Lambda');
  });

  test('a schedule whose role trusts another account is an error at start', async () => {
    const started = startWith('schedule', ({ TickRole }) => {
      TickRole.Properties.AssumeRolePolicyDocument.Statement[0].Condition.StringEquals['aws:SourceAccount'] =
        '1';
    });
    await expect(started).rejects.toThrow('Tick: its role cannot be assumed by EventBridge Scheduler');
  });

  test('a function that permits API Gateway only one route answers 500 on the others', async () => {
    const run = await startWith('gateway', ({ ApiPermission }) => {
      ApiPermission.Properties.SourceArn['Fn::Sub'] =
        'arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/$default/GET/v1/health';
    });
    expect((await run.fetch('/v1/health')).status).toBe(200);
    const reply = await run.fetch('/rows/ticks');
    expect([reply.status, await reply.json()]).toEqual([500, { message: 'Internal Server Error' }]);
    await run.stop();
  });

  test('a schedule whose role may not invoke its function has no effect, and the denial is reported', async () => {
    const run = await startWith('tick', ({ TickPolicy }) => {
      TickPolicy.Properties.PolicyDocument.Statement[0].Action = 'lambda:GetFunction';
    });
    expect(await (await run.fetch('/rows/ticks')).json()).toEqual([]);
    expect(run.errors).toMatch(/AccessDenied: .*TickRole may not lambda:InvokeFunction on .*:Fixture-Ticker/);
    await run.stop();
  });
});
