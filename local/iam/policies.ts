import type { Statement } from './policy';

/** What the template allows whom. */
export interface Policies {
  /** By ARN. */
  roles: ReadonlyMap<string, Role>;
  /** What the policies of resources say, each about its own resource. */
  resources: readonly Statement[];
}

export interface Role {
  logicalId: string;
  name: string;
  /** Who may take the role. The resource of these statements is the role itself. */
  trust: readonly Statement[];
  statements: readonly Statement[];
}
