import {
  GetSubscriptionAttributesCommand,
  ListSubscriptionsByTopicCommand,
  NotFoundException,
  SNSClient,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';

import { snsEmailSubscriptions } from '../../../../lambdas/core/platform/sns-email-subscriptions';
import { mockedClient } from '../../../support/mocked-client';

const TOPIC = 'arn:aws:sns:us-east-1:000000000000:Emails';
const ADDRESS = 'ops@example.com';
const ARN = `${TOPIC}:1`;

describe('what SNS says of a subscription', () => {
  const mocked = mockedClient(SNSClient);
  beforeEach(() => mocked.reset());
  const emails = snsEmailSubscriptions(TOPIC, new SNSClient({}));
  const listed = (SubscriptionArn: string) => ({ Subscriptions: [{ Endpoint: ADDRESS, SubscriptionArn }] });

  it('has no project and no end before it is confirmed', async () => {
    mocked.on(ListSubscriptionsByTopicCommand).resolves(listed('PendingConfirmation'));
    expect(await emails.projectOf(ADDRESS)).toBeUndefined();
    await emails.unsubscribe('a', ADDRESS);
    expect(mocked.commandCalls(UnsubscribeCommand)).toHaveLength(0);
  });

  it('may be on a later page, and gone when it is asked for', async () => {
    mocked
      .on(ListSubscriptionsByTopicCommand)
      .resolvesOnce({ Subscriptions: [], NextToken: 'more' })
      .resolves(listed(ARN));
    const gone = new NotFoundException({ message: 'gone', $metadata: {} });
    mocked.on(GetSubscriptionAttributesCommand).rejects(gone);
    expect(await emails.projectOf(ADDRESS)).toBeUndefined();
    const FilterPolicy = JSON.stringify({ project: ['a'], to: [ADDRESS] });
    mocked.on(GetSubscriptionAttributesCommand).resolves({ Attributes: { FilterPolicy } });
    mocked.on(UnsubscribeCommand).rejects(gone);
    await emails.unsubscribe('a', ADDRESS);
    expect(mocked.commandCalls(UnsubscribeCommand)).toHaveLength(1);
  });
});
