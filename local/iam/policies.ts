import type { Statement } from './policy';

/** All policies of the template. */
export interface Policies {
  /** By ARN. */
  roles: ReadonlyMap<string, Role>;
  /** Statements of resource policies. */
  resources: readonly Statement[];
}

export interface Role {
  logicalId: string;
  name: string;
  /** Statements of the trust policy. Their resource is the role itself. */
  trust: readonly Statement[];
  statements: readonly Statement[];
}
