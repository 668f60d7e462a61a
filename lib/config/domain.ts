import * as z from 'zod';

import { flag } from './values';

const HOST_NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/;
const CERTIFICATE_ARN = /^arn:(aws|aws-cn|aws-us-gov):acm:[a-z0-9-]+:\d{12}:certificate\/[a-f0-9-]{36}$/;

/** A domain of the operator, with the certificate that proves it. */
export const Domain = z.strictObject({
  name: z.string().regex(HOST_NAME, 'expected a host in lower case, like jobs.example.com'),
  certificateArn: z
    .string()
    .regex(CERTIFICATE_ARN, 'expected the ARN of a certificate in ACM, in the region of the stack'),
  /** Whether links, callbacks and the canary have its name. Until its DNS record exists, they must not. */
  inUse: flag.default(true),
});
