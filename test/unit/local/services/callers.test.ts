import { Callers } from '../../../../local/services/callers';

const header = (accessKeyId: string) =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x`;

test('a key identifies its caller until it is revoked', () => {
  const callers = new Callers();
  const { accessKeyId } = callers.issue({ logicalId: 'Tick', name: 'stack-tick', roleArn: 'arn:role' });
  expect(callers.identify(header(accessKeyId))).toMatchObject({
    functionLogicalId: 'Tick',
    functionName: 'stack-tick',
    roleArn: 'arn:role',
  });
  callers.revoke(accessKeyId);
  expect(callers.identify(header(accessKeyId))).toBeUndefined();
});

test.each([undefined, '', 'Bearer x', header('ASIAUNKNOWN')])('%s identifies no caller', (authorization) => {
  expect(new Callers().identify(authorization)).toBeUndefined();
});
