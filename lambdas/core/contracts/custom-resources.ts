import type { Role } from './roles';

/**
 * Resources of CloudFormation stacks that the provider makes in the API. Each has the properties
 * that the construct writes and the provider reads. CloudFormation makes all of them texts.
 */
export const JOB_RESOURCE = 'Custom::QuarterjackJob';
export const KEY_RESOURCE = 'Custom::QuarterjackKey';
export const JOBS_RESOURCE = 'Custom::QuarterjackJobs';

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

export interface JobsProperties {
  readonly Project: string;
  /** The program that owns the jobs. */
  readonly Source: string;
  /** Where S3 has the manifest: a URL whose path has the hash of its content. */
  readonly Manifest: string;
  /** What all of its jobs call, as JSON. */
  readonly Target: string;
  /** So many jobs may go at once, also if these are most of them. */
  readonly AllowRemovals: string;
}

/** Most jobs of one such resource. */
export const MAX_JOBS = 500;

/** Tags that begin so are set by deploying alone. */
export const RESERVED_TAGS = 'quarterjack/';
/** The program that owns a job. */
export const SOURCE_TAG = `${RESERVED_TAGS}source`;
/** The resource that keeps a job: `<stack>/<logical id>`. */
export const RESOURCE_TAG = `${RESERVED_TAGS}resource`;
/** The change of a job before a resource took it over. */
export const BEFORE_TAG = `${RESERVED_TAGS}before`;

/** A job of a manifest as it is deployed: its id has the prefix. What is called is not in it. */
export interface DeployedJob {
  readonly jobId: string;
  /** Absent: it stays paused or active as it is. */
  readonly paused?: boolean;
  readonly definition: Readonly<Record<string, unknown>>;
}
