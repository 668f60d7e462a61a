import * as z from 'zod/mini';

/** The deployment's own projects, subjects and rows have names that begin so. */
const RESERVED_NAME = /^(?:#|quarterjack-)/;

/** Whether a name is kept for the deployment itself: no issuer's token may have it as subject or project. */
export const isReservedName = (name: string): boolean => RESERVED_NAME.test(name);

/**
 * Keys begin with their project. The encoded project must leave room for the rest of an entry's sort key,
 * which has at most 1,024 bytes.
 */
const MAX_ENCODED_NAME = 512;

/** Whether a text can be a subject or a project: 1 to 512 characters, percent-encoded. */
export const isName = (text: string): boolean =>
  text !== '' && !/\p{Surrogate}/u.test(text) && encodeURIComponent(text).length <= MAX_ENCODED_NAME;

/** Whether a text can be a project of users. */
export const isProjectName = (text: string): boolean => isName(text) && !isReservedName(text);
export const PROJECT_EXPECTED =
  'a project of 1 to 512 characters, percent-encoded, that does not begin with "#" or "quarterjack-"';

const CLAIM_PREFIX = 'claim:';
export const PROJECTS_FROM = /^(?:sub|groups|claim:\S{1,128})$/;
export const PROJECTS_FROM_EXPECTED = 'expected sub, groups or claim:<name>';

/**
 * Where the projects of a token come from. `sub`: its subject is its only project. `claim:<name>`: the value
 * of that claim is. `groups`: entries `project:<name>:<role>` of the groups claim are.
 */
export const ProjectSource = z.strictObject({
  from: z.string().check(z.regex(PROJECTS_FROM, PROJECTS_FROM_EXPECTED)),
  /** Claim that lists the groups. */
  groupsClaim: z._default(z.string().check(z.minLength(1), z.maxLength(128)), 'cognito:groups'),
});
export type ProjectSource = z.output<typeof ProjectSource>;

/** The claim that names the project; undefined in the other modes. */
export const projectClaimOf = ({ from }: ProjectSource): string | undefined =>
  from.startsWith(CLAIM_PREFIX) ? from.slice(CLAIM_PREFIX.length) : undefined;
