/**
 * Resource server of the stack's own user pool. Cognito issues its scopes as `quarterjack/jobs:read`; other
 * issuers issue `jobs:read`. The API accepts both.
 */
export const SCOPE_RESOURCE_SERVER = 'quarterjack';

/**
 * Group of the stack's own user pool whose members have the scope `admin`. In Cognito, scopes belong to the
 * client that a person signs in with, and all people share one client. Group membership belongs to the
 * person.
 */
export const ADMIN_GROUP = 'admin';
