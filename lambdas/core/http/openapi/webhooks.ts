import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

import { Instant } from './answers';

const header = (description: string, example: string) =>
  z.string().meta({ description, examples: [example] });
const ID = '4f9c2d1e8b7a6053f2e1d0c9b8a7968574635241';
const SIGNATURE = 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=';

/** The headers that Quarterjack sets. A test compares them with those of a real delivery. */
const DELIVERY_HEADERS = z.object({
  'webhook-id': header('Id of the execution, the same on every attempt: deduplicate by it.', ID),
  'idempotency-key': header('The same as `webhook-id`.', ID),
  'webhook-timestamp': header('When the attempt was sent, in seconds since 1970.', '1796113800'),
  'webhook-signature': header(
    'Signatures of id, timestamp and body by Standard Webhooks, separated by spaces.',
    SIGNATURE,
  ),
  'quarterjack-signature': header(
    'Signatures of id, timestamp and all other `quarterjack-…` headers, separated by spaces.',
    SIGNATURE,
  ),
  'quarterjack-job': header('The jobId.', 'invoice-reminder-42'),
  'quarterjack-execution': header('The execId.', '20261201T083000.000Z'),
  'quarterjack-attempt': header('Number of the attempt, from 1. A user retry starts again at 1.', '1'),
  'quarterjack-fence': header('Rises with every claim: reject a lower one than you have seen.', '1'),
  'quarterjack-hop': header('How many deliveries led to this one, from 1.', '1'),
  'quarterjack-due': Instant,
  'quarterjack-key': header('The key of the run, percent-encoded, if it has one.', 'unpaid-42').optional(),
  'quarterjack-target': header('Index of the target, if the job has several.', '0').optional(),
  'quarterjack-callback': header(
    'With mode `async` or `observe`: base URL of the reports.',
    'https://api.example.com/v1/attempts',
  ).optional(),
  'quarterjack-token': header(
    'With mode `async` or `observe`: the bearer token of the reports.',
    'dG9rZW4',
  ).optional(),
  traceparent: header('W3C Trace Context.', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
  tracestate: header('What tracing systems have put beside it.', 'vendor=opaque').optional(),
  'user-agent': header('The sender.', 'Quarterjack/1'),
});

/** What the API sends by itself: the deliveries to HTTP targets. */
export const WEBHOOKS: ZodOpenApiPathsObject = {
  delivery: {
    post: {
      operationId: 'delivery',
      tags: ['Deliveries'],
      summary: 'One attempt of an execution, at an HTTP target',
      description:
        'The method is that of the target. The target’s own headers are added. Both signatures are made with the ' +
        'secret of the target’s host (`GET /v1/signing-secret?host=`). A receiver checks both before it acts.',
      security: [],
      requestParams: { header: DELIVERY_HEADERS },
      requestBody: {
        description: 'The payload of the job or the run. Without one: no body and no `Content-Type`.',
        required: false,
        content: {
          'application/json': {
            schema: z.unknown().meta({ description: 'Any JSON, up to 64 KB.' }),
            example: { invoice: 42 },
          },
        },
      },
      responses: {
        '2XX': { description: 'The attempt has succeeded.' },
        202: {
          description:
            'With mode `async`: the target has accepted the attempt, and reports later. Else as 2XX.',
        },
        408: {
          description:
            'The attempt has failed, and is retried. The same holds for 425. `retry.on` of the job may name ' +
            'other statuses in place of 408, 425, 429 and 5XX.',
        },
        429: { description: 'The attempt has failed, and is retried after `Retry-After`.' },
        '5XX': { description: 'The attempt has failed, and is retried. `Retry-After` is respected.' },
        default: {
          description:
            'Any other status fails the execution at once, unless `retry.on` of the job names it. Redirects are ' +
            'not followed.',
        },
      },
    },
  },
};
