import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT_SCOPES, ROLE_SCOPES, ROLES } from '../../../../lambdas/core/contracts/roles';
import { rolesFor, ROUTES } from '../../../../lambdas/core/contracts/routes';

test('docs/projects.md has the roles and scopes of the code', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/projects.md'), 'utf8');
  const rows = page.split('\n').map((line) => line.replaceAll(/ +\|/g, ' |'));
  for (const role of ROLES)
    expect(rows).toContain(`| ${role} | ${ROLE_SCOPES[role].map((scope) => `\`${scope}\``).join(', ')} |`);
  for (const scope of PROJECT_SCOPES) expect(page).toContain(`| \`${scope}\``);
});

test('roles rise from the viewer to the owner, who has every scope of a project', () => {
  expect(ROLES).toEqual(['viewer', 'approver', 'worker', 'operator', 'editor', 'owner']);
  expect([...ROLE_SCOPES.owner].toSorted()).toEqual([...PROJECT_SCOPES].toSorted());
});

test('each route of a project is open to an owner, and the signing secret to an owner alone', () => {
  const rolesOf = (operation: string) => rolesFor(ROUTES.find((route) => route.operation === operation)!);
  for (const route of ROUTES) {
    const isWithin = !['none', 'attempt', 'ping-key', 'token', 'admin', 'work'].includes(route.auth);
    if (isWithin) expect(rolesFor(route)).toContain('owner');
  }
  expect(rolesOf('getSigningSecret')).toEqual(['owner']);
  expect(rolesOf('runJob')).toEqual(['operator', 'editor', 'owner']);
});
