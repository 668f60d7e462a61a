import {
  GetSubscriptionAttributesCommand,
  InvalidParameterException,
  ListSubscriptionsByTopicCommand,
  NotFoundException,
  SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';

import { emailAttributesOf, projectIn } from '../delivery/email-attributes';
import type { EmailSubscriptions } from '../delivery/email-subscriptions';
import { handlerWith } from './client-settings';

const TIMEOUT_MS = 5_000;
/** Each has up to 100 subscriptions. */
const MAX_PAGES = 20;

const snsClient = (): SNSClient => new SNSClient({ requestHandler: handlerWith(TIMEOUT_MS) });

/**
 * Each subscription filters by project and address. SNS has one subscription of an address to a topic. It
 * neither names nor ends one that waits for its confirmation.
 */
export function snsEmailSubscriptions(
  TopicArn: string,
  client: Pick<SNSClient, 'send'> = snsClient(),
): EmailSubscriptions {
  const arnOf = async (to: string): Promise<string | undefined> => {
    let NextToken: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = await client.send(new ListSubscriptionsByTopicCommand({ TopicArn, NextToken }));
      const own = page.Subscriptions?.find(({ Endpoint }) => Endpoint === to);
      // Until it is confirmed, a word stands in place of the ARN.
      if (own) return own.SubscriptionArn?.startsWith('arn:') ? own.SubscriptionArn : undefined;
      NextToken = page.NextToken;
      if (NextToken === undefined) break;
    }
    return undefined;
  };

  const confirmed = async (to: string): Promise<{ arn: string; project: string } | undefined> => {
    const arn = await arnOf(to);
    if (arn === undefined) return undefined;
    const answer = await unlessGone(
      client.send(new GetSubscriptionAttributesCommand({ SubscriptionArn: arn })),
    );
    const filter = answer?.Attributes?.FilterPolicy;
    return filter === undefined ? undefined : { arn, project: projectIn(filter) };
  };

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

    projectOf: async (to) => (await confirmed(to))?.project,

    async unsubscribe(project, to) {
      const held = await confirmed(to);
      if (held?.project !== project) return;
      await unlessGone(client.send(new UnsubscribeCommand({ SubscriptionArn: held.arn })));
    },
  };
}

/** Its owner may end a subscription at any time, by the link in each mail. */
async function unlessGone<Output>(answer: Promise<Output>): Promise<Output | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}
