import { createHash } from 'node:crypto';

import * as z from 'zod';

/** The emulated AWS account, from which pseudo parameters, ARNs and loopback URLs are built. */
export interface AwsEnvironment {
  region: string;
  /** Twelve digits. */
  accountId: string;
  /** Base URL of the HTTP API, without a trailing slash. */
  apiUrl: string;
  /** Base URL of the AWS endpoint, without a trailing slash. */
  awsUrl: string;
}

/** A resource of the template, with what references to it need. */
export interface Identity {
  logicalId: string;
  /** The name in the template, or else stack name and logical id. */
  name: string;
  aws: AwsEnvironment;
}

/** A supported resource type. */
export interface ResourceType {
  /** Property with the physical name, if the type has one. */
  nameProperty?: string;
  ref(resource: Identity): string;
  attributes: Record<string, (resource: Identity) => string>;
  /**
   * Strict schema of the resolved properties. An unlisted property is an error at start, since ignoring it
   * could change the behavior of the stack. Absent: resources of this type have no effect here.
   */
  properties?: z.ZodType;
}

/** A property without effect on a single machine. */
export const ignored = z.unknown().optional();

/** `arn:aws:sqs:us-east-1:000000000000:name` */
export const arn =
  (service: string, prefix = '', suffix = '') =>
  ({ name, aws }: Identity): string =>
    `arn:aws:${service}:${aws.region}:${aws.accountId}:${prefix}${name}${suffix}`;

export const nameOf = ({ name }: Identity): string => name;

/** An id like those that AWS generates, but stable across runs: `length` lower-case letters and digits. */
export const generatedId = (length: number) => (resource: Identity) =>
  BigInt(`0x${createHash('sha256').update(resource.name).digest('hex')}`)
    .toString(36)
    .slice(0, length);
