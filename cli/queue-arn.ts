const QUEUE_URL = /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?\/(\d{12})\/([\w-]+(?:\.fifo)?)$/;

/** The ARN of the queue that has a URL; undefined if AWS has no such URL. */
export function queueArnOf(url: string): string | undefined {
  const [, region, china, account, name] = QUEUE_URL.exec(url) ?? [];
  return name === undefined ? undefined : `arn:${china ? 'aws-cn' : 'aws'}:sqs:${region}:${account}:${name}`;
}
