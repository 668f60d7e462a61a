import type { RequestQueue } from '../request-queue';
import { sendBatches, type SqsAccess } from './send-batches';

export const sqsRequestQueue = <Request>(access: SqsAccess, queueUrl: string): RequestQueue<Request> => ({
  async send(requests) {
    const messages = requests.map(({ request, delaySec }) => ({
      queueUrl,
      body: JSON.stringify(request),
      delaySec,
    }));
    const { rejected, cause } = await sendBatches(access, messages);
    if (rejected.length === 0) return;
    throw new Error(`${rejected.length} of ${messages.length} requests were not accepted by ${queueUrl}`, {
      cause,
    });
  },
});
