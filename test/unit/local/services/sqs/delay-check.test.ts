import type { AwsReply } from '../../../../../local/services/aws-call';
import { rejectInvalidDelays } from '../../../../../local/services/sqs/delay-check';

const forward = async (body: Record<string, unknown>): Promise<AwsReply> => ({
  status: 200,
  headers: {},
  body: JSON.stringify({
    Successful: (body.Entries as { Id: string }[] | undefined)?.map(({ Id }) => ({ Id })),
  }),
});
const parse = (reply: AwsReply): unknown => JSON.parse(String(reply.body));

test.each([901, -1, 1.5, '5', null])('a message with DelaySeconds %p is rejected', async (DelaySeconds) => {
  const reply = await rejectInvalidDelays({ DelaySeconds }, forward);
  expect(reply.status).toBe(400);
  expect(parse(reply)).toMatchObject({ __type: 'InvalidParameterValue' });
});

test.each([undefined, 0, 900])('a message with DelaySeconds %p is accepted', async (DelaySeconds) => {
  expect((await rejectInvalidDelays({ DelaySeconds }, forward)).status).toBe(200);
});

test('in a batch only the invalid entry fails', async () => {
  const Entries = [{ Id: 'a', DelaySeconds: 900 }, { Id: 'b', DelaySeconds: 901 }, { Id: 'c' }];
  expect(parse(await rejectInvalidDelays({ Entries }, forward))).toMatchObject({
    Successful: [{ Id: 'a' }, { Id: 'c' }],
    Failed: [{ Id: 'b', SenderFault: true, Code: 'InvalidParameterValue' }],
  });
});

test('a batch of only invalid entries is not forwarded', async () => {
  const reply = await rejectInvalidDelays({ Entries: [{ Id: 'b', DelaySeconds: 901 }] }, () => {
    throw new Error('must not be called');
  });
  expect(parse(reply)).toMatchObject({ Successful: [], Failed: [{ Id: 'b' }] });
});
