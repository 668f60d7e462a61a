import {
  InvalidParameterException,
  ListSubscriptionsByTopicCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';

import { emailAttributesOf } from '../delivery/email-attributes';
import type { EmailSubscriptions } from '../delivery/email-subscriptions';
import { handlerWith } from './client-settings';

const TIMEOUT_MS = 5_000;
/** Each has up to 100 subscriptions. */
const MAX_PAGES = 20;

const snsClient = (): SNSClient => new SNSClient({ requestHandler: handlerWith(TIMEOUT_MS) });

/**
 * Each subscription filters by project and address. SNS has one subscription of an address to a topic.
 * Nothing unsubscribes: without its notification no message passes the filter, and every mail has a link for
 * it.
 */
export function snsEmailSubscriptions(
  TopicArn: string,
  client: Pick<SNSClient, 'send'> = snsClient(),
): EmailSubscriptions {
  return {
    async subscribe(project, to) {
      const filter = Object.entries(emailAttributesOf(project, to)).map(([name, value]) => [name, [value]]);
      const command = new SubscribeCommand({
        TopicArn,
        Protocol: 'email',
        Endpoint: to,
        Attributes: { FilterPolicy: JSON.stringify(Object.fromEntries(filter)) },
      });
      try {
        await client.send(command);
        return 'subscribed';
      } catch (error) {
        if (error instanceof InvalidParameterException && /already exists/.test(error.message))
          return 'taken';
        throw error;
      }
    },

    async isConfirmed(to) {
      let NextToken: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const page = await client.send(new ListSubscriptionsByTopicCommand({ TopicArn, NextToken }));
        const own = page.Subscriptions?.find(({ Endpoint }) => Endpoint === to);
        if (own) return own.SubscriptionArn?.startsWith('arn:') === true;
        NextToken = page.NextToken;
        if (NextToken === undefined) break;
      }
      return false;
    },
  };
}
