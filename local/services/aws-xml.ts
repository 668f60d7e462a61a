import type { AwsReply } from './aws-call';

/** An error of a service with the query protocol. */
export function failed(status: number, code: string, message: string): AwsReply {
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return xml(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${text}</Message></Error></ErrorResponse>`,
  );
}

/** A response of a service with the query protocol. */
export const xml = (status: number, body: string): AwsReply => ({
  status,
  headers: { 'content-type': 'text/xml' },
  body,
});
