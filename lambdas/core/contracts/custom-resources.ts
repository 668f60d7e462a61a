import type { Role } from './roles';

/**
 * Resources of CloudFormation stacks that the provider makes in the API. Each has the properties
 * that the construct writes and the provider reads. CloudFormation makes all of them texts.
 */
export const JOB_RESOURCE = 'Custom::QuarterjackJob';
export const KEY_RESOURCE = 'Custom::QuarterjackKey';

export interface JobProperties {
  readonly Project: string;
  readonly JobId: string;
  /** The body of `PUT /v1/jobs/{jobId}`, as JSON: as an object, its numbers would become texts. */
  readonly Definition: string;
}

/** Roles that a key for a function can have. */
export type KeyResourceRole = Exclude<Role, 'owner' | 'approver'>;

export interface KeyProperties {
  readonly Project: string;
  readonly Role: KeyResourceRole;
  readonly Name: string;
  /** Secret in Secrets Manager that receives the key. */
  readonly SecretArn: string;
  /** Another number makes another key. */
  readonly Rotation: string;
}
