/**
 * A user pool of Cognito issues scopes of one's own only as `<resource server>/<scope>`; other issuers issue
 * them bare. This is the resource server that the stack makes.
 */
export const SCOPE_PREFIX = 'quarterjack/';
