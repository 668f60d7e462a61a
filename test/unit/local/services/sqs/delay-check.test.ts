import type { AwsReply } from '../../../../../local/services/aws-call';
import { refuseLongDelays } from '../../../../../local/services/sqs/delay-check';

const forward = async (body: Record<string, unknown>): Promise<AwsReply> => ({
  status: 200,
  headers: {},
  body: JSON.stringify({
    Successful: (body.Entries as { Id: string }[] | undefined)?.map(({ Id }) => ({ Id })),
  }),
});
const parse = (reply: AwsReply): unknown => JSON.parse(String(reply.body));

test.each([901, -1, 1.5, '5', null])('a message with DelaySeconds %p is refused', async (DelaySeconds) => {
  const reply = await refuseLongDelays({ DelaySeconds }, forward);
  expect(reply.status).toBe(400);
  expect(parse(reply)).toMatchObject({ __type: 'InvalidParameterValue' });
});

test.each([undefined, 0, 900])('a message with DelaySeconds %p goes through', async (DelaySeconds) => {
  expect((await refuseLongDelays({ DelaySeconds }, forward)).status).toBe(200);
});

test('in a batch only the entry fails', async () => {
  const Entries = [{ Id: 'a', DelaySeconds: 900 }, { Id: 'b', DelaySeconds: 901 }, { Id: 'c' }];
  expect(parse(await refuseLongDelays({ Entries }, forward))).toMatchObject({
    Successful: [{ Id: 'a' }, { Id: 'c' }],
    Failed: [{ Id: 'b', SenderFault: true, Code: 'InvalidParameterValue' }],
  });
});

test('a batch of nothing but bad entries is answered without the service', async () => {
  const reply = await refuseLongDelays({ Entries: [{ Id: 'b', DelaySeconds: 901 }] }, () => {
    throw new Error('must not be asked');
  });
  expect(parse(reply)).toMatchObject({ Successful: [], Failed: [{ Id: 'b' }] });
});
