import { denialMessage } from '../iam/access';
import type { AwsService } from './aws-call';
import { failed, xml } from './aws-xml';
import type { ExternalResources } from './external-resources';

const VERSION = '2010-03-31';

interface Subscription {
  arn: string;
  endpoint: string;
  filter: string;
}

/**
 * SNS as far as the stages use it: `Publish` to any topic, and the subscriptions of addresses. No mail leaves
 * the machine, so each subscription is confirmed at once. SNS has the query protocol: form data in, XML out.
 */
export function sns(external: ExternalResources): AwsService {
  const actions: Actions = {
    Publish({ TopicArn, Message, ...rest }) {
      if (!TopicArn || !Message) return invalid('TopicArn and Message are required');
      return answer('Publish', `<MessageId>${external.record(TopicArn, { Message, ...rest })}</MessageId>`);
    },
    ...subscriptionActions(external),
  };
  return {
    targetPrefix: 'AmazonSimpleNotificationService.',
    queryVersion: VERSION,
    async call({ action, body }) {
      const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (!run)
        return failed(400, 'InvalidAction', `The local run does not support the action ${action} of SNS`);
      return run(parametersOf(body));
    },
    permissions({ action, body }) {
      if (!Object.hasOwn(actions, action)) return [];
      const { TopicArn, SubscriptionArn } = parametersOf(body);
      return [{ action: `sns:${action}`, resource: String(TopicArn ?? SubscriptionArn) }];
    },
    denied: (denial) => failed(403, 'AuthorizationError', denialMessage(denial)),
    async stop() {},
  };
}

type Actions = Readonly<Record<string, (parameters: Parameters) => ReturnType<typeof xml>>>;

function subscriptionActions(external: ExternalResources): Actions {
  const subscriptions = new Map<string, Subscription[]>();
  const ofTopic = (topic: string): Subscription[] => {
    const known = subscriptions.get(topic) ?? [];
    subscriptions.set(topic, known);
    return known;
  };
  return {
    Subscribe({ TopicArn, Endpoint, 'Attributes.entry.1.value': filter = '' }) {
      if (!TopicArn || !Endpoint) return invalid('TopicArn and Endpoint are required');
      const known = ofTopic(TopicArn).find(({ endpoint }) => endpoint === Endpoint);
      if (known && known.filter !== filter)
        return invalid('Attributes Reason: Subscription already exists with different attributes');
      const arn = known?.arn ?? `${TopicArn}:${external.record(TopicArn, { Subscribe: Endpoint, filter })}`;
      if (!known) ofTopic(TopicArn).push({ arn, endpoint: Endpoint, filter });
      return answer('Subscribe', `<SubscriptionArn>${escaped(arn)}</SubscriptionArn>`);
    },
    GetSubscriptionAttributes({ SubscriptionArn = '' }) {
      const known = ofTopic(topicOf(SubscriptionArn)).find(({ arn }) => arn === SubscriptionArn);
      if (!known) return failed(404, 'NotFound', 'Subscription does not exist');
      const entry = `<entry><key>FilterPolicy</key><value>${escaped(known.filter)}</value></entry>`;
      return answer('GetSubscriptionAttributes', `<Attributes>${entry}</Attributes>`);
    },
    Unsubscribe({ SubscriptionArn = '' }) {
      const topic = topicOf(SubscriptionArn);
      subscriptions.set(
        topic,
        ofTopic(topic).filter(({ arn }) => arn !== SubscriptionArn),
      );
      return answer('Unsubscribe', '');
    },
    ListSubscriptionsByTopic({ TopicArn = '' }) {
      const members = ofTopic(TopicArn).map(
        ({ arn, endpoint }) =>
          `<member><SubscriptionArn>${escaped(arn)}</SubscriptionArn><Endpoint>${escaped(endpoint)}</Endpoint></member>`,
      );
      return answer('ListSubscriptionsByTopic', `<Subscriptions>${members.join('')}</Subscriptions>`);
    },
  };
}

/** The ARN of a subscription is that of its topic, and one part more. */
const topicOf = (arn: string): string => arn.slice(0, arn.lastIndexOf(':'));

type Parameters = Record<string, string | undefined>;

const invalid = (message: string) => failed(400, 'InvalidParameter', `Invalid parameter: ${message}`);

const answer = (action: string, result: string) =>
  xml(
    200,
    `<${action}Response xmlns="http://sns.amazonaws.com/doc/${VERSION}/"><${action}Result>${result}</${action}Result></${action}Response>`,
  );

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The form fields, without those that identify the operation. */
function parametersOf(body: string): Parameters {
  const fields = new URLSearchParams(body);
  fields.delete('Action');
  fields.delete('Version');
  return Object.fromEntries(fields);
}
