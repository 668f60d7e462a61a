import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { knownServices, needsOfAction, operationsOf } from '../../lambdas/core/contracts/action-names';
import type { ServiceActions } from '../../lambdas/core/contracts/action-schemas';
import { fitInput } from '../../lambdas/core/delivery/actions/fit-input';
import { encodedCall } from '../../lambdas/core/delivery/call/action/encode';
import { readService } from '../../scripts/aws-actions/read-service';
import { sampleInput } from '../../scripts/aws-actions/sample';
import { comparable } from '../../scripts/aws-actions/sent-request';
import { SOURCES } from '../../scripts/aws-actions/services';
import digests from '../fixtures/aws/action-digests.json';

/* Calls have to be what the clients of the AWS SDK send, to the byte. */

const folder = join(__dirname, '../../actions');
const files = readdirSync(folder);
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
const actionsOf = (file: string) => JSON.parse(textOf(file)) as ServiceActions;
const byName: Readonly<Record<string, string>> = digests;

/** What the project installs to make calls of its own, and so has at each run of the tests. */
const INSTALLED = [
  ...['batch', 'cloudwatch', 'cloudwatch-logs', 'codebuild', 'dynamodb', 'ecs', 'eventbridge', 'glue'],
  ...['lambda', 'secrets-manager', 'sfn', 'sns', 'sqs'],
];

test('each service is small, and all are', () => {
  const sizes = files.map((file) => Buffer.byteLength(textOf(file)));
  expect(files).toHaveLength(SOURCES.length);
  expect(Math.max(...sizes)).toBeLessThan(300_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
});

test.each(INSTALLED)('the actions of %s are those of its client, and so is each request', async (client) => {
  const { name, actions, sent, leftOut } = await readService(SOURCES.find((one) => one.client === client)!);
  expect(leftOut).toEqual({});
  expect(actions).toEqual(actionsOf(`${name}.json`));
  expect(Object.keys(sent)).toEqual(Object.keys(actions.actions));
});

test('that are more than 200 actions', () => {
  const isInstalled = (file: string) => INSTALLED.some((one) => `${one.replaceAll('-', '')}.json` === file);
  const counts = files.filter(isInstalled).map((file) => Object.keys(actionsOf(file).actions).length);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(400);
});

test.each(files)('%s: each input in JSON becomes the request that its client has sent', async (file) => {
  const service = actionsOf(file);
  const endpoint = new URL('https://service.example.com');
  const of = file.replace('.json', '');
  for (const [action, schema] of Object.entries(service.actions)) {
    const { json } = schema.input === undefined ? { json: {} } : sampleInput(service, schema.input);
    const input = fitInput(service, schema, json as Record<string, unknown>, {
      isRendered: true,
      passRoles: 'any',
    });
    const request = comparable(await encodedCall({ service, action, input, endpoint }));
    const digest = createHash('sha256').update(request).digest('base64url').slice(0, 16);
    expect([`${of}:${action}`, digest]).toEqual([`${of}:${action}`, byName[`${of}:${action}`]]);
  }
});

test('what is known in short is what the files have, and the page lists each service', () => {
  const services = files.map((file) => file.replace('.json', ''));
  expect(knownServices()).toEqual(services);
  const page = readFileSync(join(__dirname, '../../docs/actions.md'), 'utf8');
  for (const service of services) {
    const { actions } = actionsOf(`${service}.json`);
    expect(operationsOf(service)).toEqual(Object.keys(actions));
    for (const [name, { needs }] of Object.entries(actions))
      expect([name, needsOfAction(`${service}:${name}`)]).toEqual([name, needs]);
    expect(page).toContain(`\`${service}\``);
  }
  expect(needsOfAction('kinesis:constructor')).toBeUndefined();
});

test('no two members of a structure differ in the case of letters alone', () => {
  for (const file of files)
    for (const [, , names] of actionsOf(file).shapes)
      if (Array.isArray(names))
        expect(new Set(names.map((name) => String(name).toLowerCase())).size).toBe(names.length);
});

test('each action names what IAM asks for', () => {
  for (const file of files)
    for (const { needs } of Object.values(actionsOf(file).actions)) {
      expect(needs.length).toBeGreaterThan(0);
      for (const one of needs) expect(one).toMatch(/^[a-z0-9-]+:[A-Z]\w+$/);
    }
});

test('nothing that only reads, gives rights or changes code is among them', () => {
  const refused =
    /^(?:Get|List|Describe)[A-Z]|(?:Key|Resource|Access)Policy$|Permission|^(?:Create|Update)(?:Function|StateMachine|Project)(?:Code)?$|^ExecuteCommand$/;
  for (const file of files)
    expect(Object.keys(actionsOf(file).actions).filter((name) => refused.test(name))).toEqual([]);
  for (const service of ['iam', 'sts', 'organizations', 'cloudformation', 'account', 'ram', 'sso'])
    expect(files).not.toContain(`${service}.json`);
});
