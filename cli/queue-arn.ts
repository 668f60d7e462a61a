const QUEUE_URL = /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?\/(\d{12})\/([\w-]+(?:\.fifo)?)$/;

/** The ARN of the queue that has a URL; undefined if AWS has no such URL. */
export function queueArnOf(url: string): string | undefined {
  const [, region, china, account, name] = QUEUE_URL.exec(url) ?? [];
  if (region === undefined) return undefined;
  const partition = china ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
  return `arn:${partition}:sqs:${region}:${account}:${name}`;
}
