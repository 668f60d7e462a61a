import { refusalMessage } from '../iam/access';
import type { AwsReply, AwsService } from './aws-call';
import type { Elsewhere } from './external-resources';

const VERSION = '2010-03-31';

/** SNS's `Publish`, for topics elsewhere. The service speaks the query protocol: a form is asked, XML answers. */
export function sns(elsewhere: Elsewhere): AwsService {
  return {
    targetPrefix: 'AmazonSimpleNotificationService.',
    queryVersion: VERSION,
    async call({ action, body }) {
      if (action !== 'Publish')
        return failed(400, 'InvalidAction', `The local run does not know the action ${action} of SNS`);
      const { TopicArn, Message, ...rest } = formOf(body);
      if (!TopicArn || !Message)
        return failed(400, 'InvalidParameter', 'Invalid parameter: TopicArn and Message are needed');
      const id = elsewhere.take(TopicArn, { Message, ...rest });
      return xml(
        200,
        `<PublishResponse xmlns="http://sns.amazonaws.com/doc/${VERSION}/"><PublishResult><MessageId>${id}</MessageId></PublishResult></PublishResponse>`,
      );
    },
    permissions({ action, body }) {
      return action === 'Publish' ? [{ action: 'sns:Publish', resource: String(formOf(body).TopicArn) }] : [];
    },
    denied: (refusal) => failed(403, 'AuthorizationError', refusalMessage(refusal)),
    async stop() {},
  };
}

/** The fields of a request, without those that say which request it is. */
function formOf(body: string): Record<string, string | undefined> {
  const fields = new URLSearchParams(body);
  fields.delete('Action');
  fields.delete('Version');
  return Object.fromEntries(fields);
}

function failed(status: number, code: string, message: string): AwsReply {
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return xml(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${text}</Message></Error></ErrorResponse>`,
  );
}

const xml = (status: number, body: string): AwsReply => ({
  status,
  headers: { 'content-type': 'text/xml' },
  body,
});
