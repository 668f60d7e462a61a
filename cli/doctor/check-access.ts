import { AuthenticationError, type Me, ProblemError, type Quarterjack } from '../../client';
import { explain } from '../exit-codes';
import { plain } from '../terminal/table';
import { type Check, ok, problem } from './check';

const SIGN_IN = 'sign in again with quarterjack login, or set QUARTERJACK_TOKEN to a valid token or API key';

/** Who the token is of, and whether it may read anything. `me`: undefined if it is not accepted. */
export async function checkAccess(client: Quarterjack): Promise<{ me?: Me; checks: Check[] }> {
  try {
    const me = await client.me();
    return { me, checks: [tokenCheck(me), scopeCheck(me)] };
  } catch (error) {
    if (error instanceof AuthenticationError) return { checks: [problem('token', error.detail, SIGN_IN)] };
    const advice =
      error instanceof ProblemError && error.status === 403
        ? 'ask an owner of the project for a role in it, or name another with --project'
        : SIGN_IN;
    return { checks: [problem('token', explain(error), advice)] };
  }
}

function tokenCheck({ by, project, role, projects }: Me): Check {
  const name = plain(by.name ?? by.sub);
  if (project === null && projects.length > 1)
    return problem(
      'token',
      `${name} has several projects`,
      `name one with --project: ${projects.map((one) => plain(one.name)).join(', ')}`,
    );
  if (project === null)
    return problem('token', `${name} has no project`, 'ask an operator for a role in a project');
  return ok('token', `${name} (${plain(by.via)}), ${role ?? 'no role'} of ${plain(project)}`);
}

function scopeCheck({ scopes }: Me): Check {
  if (scopes.length === 0)
    return problem('scopes', 'the token has no scope', 'sign in for a token with jobs:read, or more');
  if (!scopes.includes('jobs:read'))
    return problem(
      'scopes',
      `${scopes.join(' ')}: the token cannot read jobs`,
      'sign in for a token with jobs:read, or use a key of another role',
    );
  return ok('scopes', scopes.join(' '));
}
