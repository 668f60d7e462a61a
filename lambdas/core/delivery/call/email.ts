import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';

import type { EmailTarget } from '../../domain/notification-targets';
import type { TargetResult } from '../../domain/target-result';
import type { Delivery } from '../delivery';
import { emailAttributesOf } from '../email-attributes';
import { parseArn } from '../arn';
import { failureOf } from './aws-call';
import { clientIn } from './aws-client';

/** What a message says, as the `json` format has it. The rest of the body is for programs. */
interface Body {
  headline: string;
  facts: readonly (readonly [string, string])[];
  url: string;
}

const MAX_SUBJECT = 100;

/**
 * Publishes a message of a notification to the topic of the deployment. The filter lets one address have it.
 */
export async function callEmail(
  { to }: EmailTarget,
  { body, project }: Delivery,
  topicArn: string,
  signal: AbortSignal,
): Promise<TargetResult> {
  const message = JSON.parse(body.toString('utf8')) as Body;
  const attributes = Object.entries(emailAttributesOf(project, to)).map(([name, StringValue]) => [
    name,
    { DataType: 'String', StringValue },
  ]);
  const publish = new PublishCommand({
    TopicArn: topicArn,
    Subject: subjectOf(message),
    Message: textOf(message, project),
    MessageAttributes: Object.fromEntries(attributes),
  });
  try {
    const client = clientIn(SNSClient, { region: parseArn(topicArn)!.region, role: undefined });
    const { $metadata, MessageId } = await client.send(publish, { abortSignal: signal });
    return { outcome: 'succeeded', statusCode: $metadata.httpStatusCode, body: MessageId };
  } catch (error) {
    return failureOf(error, signal);
  }
}

/** SNS takes ASCII of at most 100 characters. */
const subjectOf = ({ headline }: Body): string =>
  `Quarterjack: ${headline.replaceAll(/[^\x20-\x7e]+/g, ' ')}`.slice(0, MAX_SUBJECT).trim();

const textOf = ({ headline, facts, url }: Body, project: string): string =>
  [
    headline,
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
    `Project: ${encodeURIComponent(project)}`,
    '',
    url,
  ].join('\n');
