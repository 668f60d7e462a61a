/**
 * The one secret of a deployment. From it are derived: the signing secrets of projects and hosts, the attempt
 * tokens, and the signature of list cursors.
 *
 * Where each question about secrets is answered:
 * - How is the deployment secret read? `platform/secrets-manager-secret.ts`.
 * - Which versions of a signing secret sign now, and may it be rotated? `domain/secret-versions.ts`.
 * - Whose secret signs the calls of a URL? `domain/signing-host.ts`.
 * - Where are the versions stored? `store/user-store.ts`.
 * - What is the secret of a version, and how does it sign? `standard-webhooks.ts`, beside this file.
 * - How are the `quarterjack-…` headers signed? `signed-headers.ts`.
 * - Which secrets sign this delivery? `signing-secrets.ts`, which caches the versions.
 * - What does a user see? `api/secrets/`.
 */
export interface DeploymentSecret {
  /** At least 32 bytes, and the same during the life of the process. */
  get(): Promise<Buffer>;
}
