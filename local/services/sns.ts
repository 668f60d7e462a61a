import { denialMessage } from '../iam/access';
import type { AwsService } from './aws-call';
import { failed, xml } from './aws-xml';
import type { ExternalResources } from './external-resources';

const VERSION = '2010-03-31';

/** SNS's `Publish`, for topics outside the stack. SNS has the query protocol: form data in, XML out. */
export function sns(external: ExternalResources): AwsService {
  return {
    targetPrefix: 'AmazonSimpleNotificationService.',
    queryVersion: VERSION,
    async call({ action, body }) {
      if (action !== 'Publish')
        return failed(400, 'InvalidAction', `The local run does not support the action ${action} of SNS`);
      const { TopicArn, Message, ...rest } = parametersOf(body);
      if (!TopicArn || !Message)
        return failed(400, 'InvalidParameter', 'Invalid parameter: TopicArn and Message are required');
      const id = external.record(TopicArn, { Message, ...rest });
      return xml(
        200,
        `<PublishResponse xmlns="http://sns.amazonaws.com/doc/${VERSION}/"><PublishResult><MessageId>${id}</MessageId></PublishResult></PublishResponse>`,
      );
    },
    permissions({ action, body }) {
      if (action !== 'Publish') return [];
      return [{ action: 'sns:Publish', resource: String(parametersOf(body).TopicArn) }];
    },
    denied: (denial) => failed(403, 'AuthorizationError', denialMessage(denial)),
    async stop() {},
  };
}

/** The form fields, without those that identify the operation. */
function parametersOf(body: string): Record<string, string | undefined> {
  const fields = new URLSearchParams(body);
  fields.delete('Action');
  fields.delete('Version');
  return Object.fromEntries(fields);
}
