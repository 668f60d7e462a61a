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
  const subscriptions = new Map<string, Subscription[]>();
  const ofTopic = (topic: string): Subscription[] => {
    const known = subscriptions.get(topic) ?? [];
    subscriptions.set(topic, known);
    return known;
  };
  const actions: Readonly<Record<string, (parameters: Parameters) => ReturnType<typeof xml>>> = {
    Publish({ TopicArn, Message, ...rest }) {
      if (!TopicArn || !Message) return invalid('TopicArn and Message are required');
      return answer('Publish', `<MessageId>${external.record(TopicArn, { Message, ...rest })}</MessageId>`);
    },
    Subscribe({ TopicArn, Endpoint, 'Attributes.entry.1.value': filter = '' }) {
      if (!TopicArn || !Endpoint) return invalid('TopicArn and Endpoint are required');
      const known = ofTopic(TopicArn).find(({ endpoint }) => endpoint === Endpoint);
      if (known && known.filter !== filter)
        return invalid('Attributes Reason: Subscription already exists with different attributes');
      const arn = known?.arn ?? `${TopicArn}:${external.record(TopicArn, { Subscribe: Endpoint, filter })}`;
      if (!known) ofTopic(TopicArn).push({ arn, endpoint: Endpoint, filter });
      return answer('Subscribe', `<SubscriptionArn>${escaped(arn)}</SubscriptionArn>`);
    },
    ListSubscriptionsByTopic({ TopicArn = '' }) {
      const members = ofTopic(TopicArn).map(
        ({ arn, endpoint }) =>
          `<member><SubscriptionArn>${escaped(arn)}</SubscriptionArn><Endpoint>${escaped(endpoint)}</Endpoint></member>`,
      );
      return answer('ListSubscriptionsByTopic', `<Subscriptions>${members.join('')}</Subscriptions>`);
    },
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
      return [{ action: `sns:${action}`, resource: String(parametersOf(body).TopicArn) }];
    },
    denied: (denial) => failed(403, 'AuthorizationError', denialMessage(denial)),
    async stop() {},
  };
}

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
