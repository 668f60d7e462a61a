/**
 * The one secret of a deployment. Users' signing secrets and the signature of list cursors are derived from
 * it.
 */
export interface DeploymentSecret {
  /** At least 32 bytes. The same for as long as the process lives. */
  get(): Promise<Buffer>;
}
