import { SNSClient } from '@aws-sdk/client-sns';

import { snsEmailSubscriptions } from '../../../../lambdas/core/platform/sns-email-subscriptions';
import { startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { ExternalResources } from '../../../../local/services/external-resources';
import { sns } from '../../../../local/services/sns';

const TOPIC = 'arn:aws:sns:us-east-1:000000000000:Emails';
const ADDRESS = 'ops@example.com';

describe('subscriptions of addresses', () => {
  let client: SNSClient;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    let ids = 0;
    const callers = new Callers();
    const endpoint = await startAwsEndpoint(callers, () => undefined);
    const newId = () => `id-${++ids}`;
    endpoint.serve(
      sns(new ExternalResources({ clock: { nowMs: () => 0 }, newId, onFirst: () => undefined })),
    );
    client = new SNSClient({ endpoint: endpoint.url, region: 'us-east-1', credentials: callers.issue() });
    stop = async () => {
      client.destroy();
      await endpoint.stop();
    };
  });
  afterEach(() => stop());

  it('have one project each, and end for that project alone', async () => {
    const emails = snsEmailSubscriptions(TOPIC, client);
    expect(await emails.projectOf(ADDRESS)).toBeUndefined();
    expect(await emails.subscribe('a/"ä', ADDRESS)).toBe('subscribed');
    expect(await emails.subscribe('a/"ä', ADDRESS)).toBe('subscribed');
    expect(await emails.subscribe('b', ADDRESS)).toBe('taken');
    expect(await emails.projectOf(ADDRESS)).toBe('a/"ä');
    await emails.unsubscribe('b', ADDRESS);
    expect(await emails.projectOf(ADDRESS)).toBe('a/"ä');
    await emails.unsubscribe('a/"ä', ADDRESS);
    expect(await emails.projectOf(ADDRESS)).toBeUndefined();
    expect(await emails.subscribe('b', ADDRESS)).toBe('subscribed');
  });
});
