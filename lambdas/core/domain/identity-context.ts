import { CALLER_KINDS, type CallerKind, type Role, ROLES } from '../contracts/roles';
import type { Identity, ProjectRole, Verification } from './identity';

/**
 * A verification as the context of an API Gateway authorizer: texts and numbers alone. Free text is
 * percent-encoded, so that no value can end a field of the access log, or an item of a list.
 */
export type IdentityContext = Readonly<Record<string, string | number>>;

/** Lists are separated by spaces. */
const SEPARATOR = ' ';

export function contextOf(verification: Verification): IdentityContext {
  if ('problem' in verification) return { problem: verification.problem };
  const { sub, name, kind, keyId, keyName, projects, scopes, queues, expiresAt } = verification;
  return {
    sub: encodeURIComponent(sub),
    ...(name !== null && { name: encodeURIComponent(name) }),
    kind,
    ...(keyId !== undefined && { keyId }),
    ...(keyName !== undefined && { keyName: encodeURIComponent(keyName) }),
    projects: projects.map((one) => `${encodeURIComponent(one.name)}:${one.role}`).join(SEPARATOR),
    scopes: scopes.join(SEPARATOR),
    ...(queues && { queues: queues.map(encodeURIComponent).join(SEPARATOR) }),
    expiresAt,
  };
}

/** The inverse of `contextOf`. Undefined for a context that `contextOf` cannot have made. */
export function verificationOf(context: Readonly<Record<string, unknown>>): Verification | undefined {
  const text = (name: string): string | undefined => {
    const value = context[name];
    return typeof value === 'string' ? value : undefined;
  };
  const problem = text('problem');
  if (problem !== undefined) return { problem };
  const kind = CALLER_KINDS.find((one) => one === text('kind'));
  const [sub, projects, scopes, expiresAt] = [
    text('sub'),
    projectsOf(text('projects')),
    text('scopes'),
    Number(context.expiresAt),
  ];
  if (sub === undefined || !kind || !projects || scopes === undefined || !(expiresAt > 0)) return undefined;
  const [name, keyId, keyName, queues] = [text('name'), text('keyId'), text('keyName'), text('queues')];
  return {
    sub: decodeURIComponent(sub),
    name: name === undefined ? null : decodeURIComponent(name),
    kind: kind satisfies CallerKind,
    ...(keyId !== undefined && { keyId }),
    ...(keyName !== undefined && { keyName: decodeURIComponent(keyName) }),
    projects,
    scopes: itemsOf(scopes),
    ...(queues !== undefined && { queues: itemsOf(queues).map(decodeURIComponent) }),
    expiresAt,
  } satisfies Identity;
}

const itemsOf = (text: string): string[] => text.split(SEPARATOR).filter(Boolean);

function projectsOf(text: string | undefined): ProjectRole[] | undefined {
  if (text === undefined) return undefined;
  const projects: ProjectRole[] = [];
  for (const item of itemsOf(text)) {
    const [name = '', role] = item.split(':');
    if (!ROLES.includes(role as Role)) return undefined;
    projects.push({ name: decodeURIComponent(name), role: role as Role });
  }
  return projects;
}
