let calls = 0;

/** Answers as the token says: `deny`, `fail`, `odd`, or anything else for a caller of that name. */
export const handler = async ({ identitySource: [identity], routeKey }) => {
  calls += 1;
  const token = identity.replace('Bearer ', '');
  if (token === 'fail') throw new Error('requested');
  if (token === 'odd') return { isAuthorized: 'yes' };
  return { isAuthorized: token !== 'deny', context: { caller: token, calls, routeKey } };
};
