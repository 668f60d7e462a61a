import { createHash } from 'node:crypto';

import * as z from 'zod';

/** Where the emulated account lives: what pseudo parameters and loopback URLs are made of. */
export interface Place {
  region: string;
  /** Twelve digits. */
  accountId: string;
  /** Base URL of the HTTP API, without a slash at its end. */
  apiUrl: string;
  /** Base URL of the AWS endpoint, without a slash at its end. */
  awsUrl: string;
}

/** One resource of the template, as its own references see it. */
export interface Identity {
  logicalId: string;
  /** The name that the template gives, or one made of the stack's name and the logical id. */
  name: string;
  place: Place;
}

/** What the local run knows about a resource type. */
export interface ResourceType {
  /** Property that holds the physical name, where the type has one. */
  nameProperty?: string;
  ref(resource: Identity): string;
  attributes: Record<string, (resource: Identity) => string>;
  /**
   * Schema of the resolved properties, strict: a property that it does not list is an error at start, since ignoring
   * it could change what the stack does. Absent: the type is inert, known and without any effect here.
   */
  properties?: z.ZodType;
}

/** A property that makes no difference on one machine. */
export const ignored = z.unknown().optional();

/** `arn:aws:sqs:us-east-1:000000000000:name` */
export const arn =
  (service: string, prefix = '', suffix = '') =>
  ({ name, place }: Identity): string =>
    `arn:aws:${service}:${place.region}:${place.accountId}:${prefix}${name}${suffix}`;

export const nameOf = ({ name }: Identity): string => name;

/** An id as AWS would invent it, but the same at every start: `length` lower-case letters and digits. */
export const inventedId = (length: number) => (resource: Identity) =>
  BigInt(`0x${createHash('sha256').update(resource.name).digest('hex')}`)
    .toString(36)
    .slice(0, length);
