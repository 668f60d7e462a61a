/** Scopes of operations within a project, in the order in which documents list them. */
export const PROJECT_SCOPES = [
  'jobs:read',
  'jobs:write',
  'runs:operate',
  'runs:approve',
  'work',
  'project:admin',
] as const;
export type ProjectScope = (typeof PROJECT_SCOPES)[number];

/** `admin` is the operator's. It belongs to no project, and no role has it. */
export const ADMIN_SCOPE = 'admin';
export type Scope = ProjectScope | typeof ADMIN_SCOPE;

const OPERATOR_SCOPES = ['jobs:read', 'runs:operate'] as const;
const EDITOR_SCOPES = [...OPERATOR_SCOPES, 'jobs:write', 'runs:approve', 'work'] as const;

/**
 * The scopes of each role, from the lowest role to the highest. If there are several roles in one project,
 * the highest counts alone.
 */
export const ROLE_SCOPES = {
  viewer: ['jobs:read'],
  approver: ['jobs:read', 'runs:approve'],
  worker: ['work'],
  operator: OPERATOR_SCOPES,
  editor: EDITOR_SCOPES,
  owner: [...EDITOR_SCOPES, 'project:admin'],
} as const satisfies Record<string, readonly ProjectScope[]>;
export type Role = keyof typeof ROLE_SCOPES;

/** From the lowest to the highest. */
export const ROLES = Object.keys(ROLE_SCOPES) as Role[];

/** Whether a role has a scope. */
export const roleHas = (role: Role, scope: ProjectScope): boolean =>
  (ROLE_SCOPES[role] as readonly ProjectScope[]).includes(scope);

/** What sent a request: a person's token, a program's token (client credentials), or an API key. */
export const CALLER_KINDS = ['person', 'client', 'key'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** Scopes that a token has besides those that it names. `for` lists the callers for which that holds. */
export const IMPLIED_SCOPES: readonly {
  scope: ProjectScope;
  implies: ProjectScope;
  for: readonly CallerKind[];
}[] = [
  { scope: 'jobs:write', implies: 'runs:operate', for: CALLER_KINDS },
  // An approval is a person's decision: a program has to be given the scope by name.
  { scope: 'jobs:write', implies: 'runs:approve', for: ['person'] },
];
