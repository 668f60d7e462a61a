import type { TargetPolicy } from '../addresses';
import type { AwsPolicy } from '../aws-policy';

/** What a deployment allows its targets to be. */
export interface TargetRules {
  targetPolicy: TargetPolicy;
  /** Hosts that targets may be called at; empty or absent: any. */
  allowedTargetHosts?: readonly string[];
  awsTargets: AwsPolicy;
  /** The project that the job belongs to. */
  project: string;
  /** Texts of the target may have templates, which are not rendered yet. */
  hasTemplates?: true;
}

/**
 * `message` says what is wrong with a field, and reads on behind its name; without `field` it is that of the
 * type.
 */
type TargetCheck = { ok: true } | { ok: false; message: string; field?: string };

/**
 * What the system knows of one target type, beside its schema (`core/http/target.ts`) and the code that calls
 * it (`delivery/call/`).
 */
export interface TargetType<T extends { type: string }> {
  /** The field that names what is called. Errors of the API point at it. */
  readonly field: string;
  /** Whether this deployment may call the target. Asked when a job is saved, and again at each attempt. */
  check(target: T, rules: TargetRules): TargetCheck;
  /** Why the type cannot take this payload; undefined if it can. Absent: the type takes any JSON. */
  payloadFault?(payload: unknown): string | undefined;
}
