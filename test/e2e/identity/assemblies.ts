import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { synthesize } from '../../../local/template/synthesize';

export type Resources = Record<string, { Type: string; Properties: Record<string, any> }>;

const TEMPLATE = 'Quarterjack-local.template.json';

/**
 * Copies the local stage's assembly to `directory` with a changed template. Returns the folder of the copy.
 */
export async function assemblyWith(
  directory: string,
  name: string,
  change: (resources: Resources) => void,
): Promise<string> {
  const own = join(directory, name);
  cpSync(await synthesize(), own, { recursive: true });
  const file = join(own, TEMPLATE);
  const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Resources };
  change(template.Resources);
  writeFileSync(file, JSON.stringify(template));
  return own;
}

export const ofType = (resources: Resources, type: string): Resources[string][] =>
  Object.values(resources).filter((resource) => resource.Type === type);

interface Statement {
  Action: string | string[];
  Resource: unknown;
}

/**
 * Removes an action from the role's only statement that allows it on a resource. `role` and `resource` are
 * prefixes.
 */
export function withoutAction(resources: Resources, role: string, action: string, resource: string): void {
  const roles = Object.entries(resources).filter(([id]) => id.startsWith(role));
  const policies = roles.flatMap(
    ([, { Properties }]) => (Properties.Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[],
  );
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const found = statements.filter(
    ({ Action, Resource }) =>
      [Action].flat().includes(action) && JSON.stringify(Resource).includes(`"${resource}`),
  );
  if (found.length !== 1)
    throw new Error(`${role} allows ${action} on ${resource} in ${found.length} statements`);
  const rest = [found[0]!.Action].flat().filter((one) => one !== action);
  found[0]!.Action = rest.length > 0 ? rest : 'sts:GetCallerIdentity';
}
