import { QuarterjackError } from '../errors';

/** The delivery is not from Quarterjack, was changed on the way, or is too old. Answer 401 and do nothing. */
export class SignatureError extends QuarterjackError {
  override name = 'SignatureError';
}

export interface VerifyOptions {
  /**
   * `whsec_…` of the receiver's host, as `GET /v1/signing-secret?host=` returns it; pass both secrets during
   * a rotation.
   */
  secret: string | readonly string[];
  /**
   * Accepts a delivery that only its body proves, as a legacy secret of the project signs it. The result then
   * says `headersSigned: false`. Default false.
   */
  legacy?: boolean | undefined;
  /**
   * Largest accepted distance between the delivery's timestamp and now, in seconds either way. Default 300.
   */
  toleranceSec?: number | undefined;
  nowMs?: number | undefined;
}

/** Where and how to report on an attempt. */
export interface Reporting {
  callback: string;
  /** A secret: never log it. */
  token: string;
}

/**
 * What `verifyDelivery` knows beyond the fields. A registered symbol, so that two copies of this package in
 * one process understand each other. Nothing that was parsed can have it, and no log prints it.
 */
export const VERIFIED: unique symbol = Symbol.for('quarterjack.verified-delivery');

interface Verified<HeadersSigned extends boolean> {
  readonly headersSigned: HeadersSigned;
  readonly reporting: Reporting | undefined;
}

interface Fields<HeadersSigned extends boolean> {
  /** Identifies the execution, and is the same on every attempt: deduplicate by it. */
  readonly id: string;
  readonly jobId: string;
  readonly execId: string;
  readonly attempt: number;
  /** Increases with every claim of the execution. See `FenceGuard`. */
  readonly fence: number;
  readonly dueAt: Date;
  /** The key of the run, if it has one. */
  readonly key?: string;
  /** How many deliveries led to this one, from 1: a request that it leads to passes it on. */
  readonly deliveryDepth?: number;
  /** Index of the target, if the job has several. */
  readonly target?: number;
  /** The body as text; empty if the job has no payload. */
  readonly body: string;
  /** Whether the fields from headers are proven: all but `id` and `body`, which always are. */
  readonly headersSigned: HeadersSigned;
  /** The body as JSON; undefined if it is empty. Throws a `QuarterjackError` if it is not JSON. */
  json<T = unknown>(): T;
  readonly [VERIFIED]: Verified<HeadersSigned>;
}

/** A delivery whose body and headers are proven to be for this receiver. Only `verifyDelivery` makes one. */
export type Delivery = Fields<true>;

/**
 * A delivery of which only `id` and `body` are proven, with `{ legacy: true }`. Every target of the project
 * could have sent it, with other headers.
 */
export type LegacyDelivery = Fields<false>;

/** What `verifyDelivery` knows of its result; undefined for anything else. */
export const verifiedOf = (delivery: unknown): Verified<boolean> | undefined =>
  typeof delivery === 'object' && delivery !== null
    ? (delivery as Partial<Delivery | LegacyDelivery>)[VERIFIED]
    : undefined;
