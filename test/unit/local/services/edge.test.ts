import { join } from 'node:path';

import type { AwsCall, AwsService, Caller } from '../../../../local/services/aws-call';
import { afterDisk, edgeOf } from '../../../../local/services/edge';
import { readAssembly } from '../../../../local/template/assembly';
import { readStack } from '../../../../local/template/read-stack';
import type { LocalStack } from '../../../../local/template/stack';

const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };
const stack = readStack(readAssembly(join(__dirname, '../../../support/local/assembly')), AWS);

const callerOf = (functionLogicalId: string | undefined): Caller => ({
  ...{ accessKeyId: 'k', functionLogicalId, functionName: undefined, roleArn: undefined },
});
const atEdge = (of: LocalStack): string[] =>
  of.functions.map(({ logicalId }) => logicalId).filter((id) => edgeOf(of)(callerOf(id)));

test('functions of routes and their authorizers are at the edge; one with a queue is not', () => {
  expect(atEdge(stack)).toEqual(['ApiFunction', 'AuthorizerFunction']);
});

test('the names of functions mean nothing: the routes do', () => {
  const { functionArn } = stack.mappings[0]!;
  const routes = stack.httpApi.routes.map((route) => ({ ...route, functionArn, authorizer: undefined }));
  const moved = { ...stack, mappings: [], httpApi: { ...stack.httpApi, routes } };
  expect(atEdge(moved)).toEqual([stack.functions.find(({ arn }) => arn === functionArn)!.logicalId]);
});

test.each(['mappings', 'streamMappings', 'schedules'] as const)(
  'a function of a route is not at the edge if it has one of the %s',
  (source) => {
    const { arn } = stack.functions.find(({ logicalId }) => logicalId === 'ApiFunction')!;
    expect(atEdge({ ...stack, [source]: [{ functionArn: arn }] } as never)).not.toContain('ApiFunction');
  },
);

test('neither the operator nor an assumed role is at the edge', () => {
  expect(edgeOf(stack)(callerOf(undefined))).toBe(false);
});

test('a service beside the tables begins with a call from the edge after the disk, with others at once', async () => {
  const log: string[] = [];
  const service = { call: async ({ caller }: AwsCall) => void log.push(caller.accessKeyId) };
  let sync = (): void => undefined;
  const flushed = () => new Promise<void>((resolve) => (sync = resolve));
  const isAtEdge = ({ accessKeyId }: Caller) => accessKeyId === 'edge';
  const { call } = afterDisk(service as unknown as AwsService, { isAtEdge, flushed });
  const from = (accessKeyId: string) => call({ caller: { ...callerOf(undefined), accessKeyId } } as AwsCall);
  const waiting = from('edge');
  await from('other');
  expect(log).toEqual(['other']);
  sync();
  await waiting;
  expect(log).toEqual(['other', 'edge']);
});
