/**
 * Members that hand a role to a service, or to code that it runs: `RoleArn`, `executionRoleArn`,
 * `IamInstanceProfile`.
 */
export const isRoleMember = (name: string): boolean => /role|instanceprofile/i.test(name);

/** Members whose texts are policies, which say who may do something. They are keys of attributes too. */
export const isPolicyMember = (name: string, value: unknown): boolean =>
  typeof value === 'string' && POLICY.test(name);

const POLICY = /^(?:resource|access|key|data|fileSystem|repository)?polic(?:y|ies)(?:text|document|json)?$/i;
