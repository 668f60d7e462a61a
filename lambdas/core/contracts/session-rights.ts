/** What a session of a role may do: actions as IAM names them, on these ARNs. `*` matches as in IAM. */
export interface SessionRight {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** The most characters that STS takes as the policy of a session. */
export const SESSION_POLICY_CHARACTERS = 2_048;

/** The policy of a session that may do this, and no more than the role itself may. */
export const sessionPolicyOf = (rights: readonly SessionRight[]): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: rights.map(({ actions, resources }) => ({
      Effect: 'Allow',
      Action: actions,
      Resource: resources,
    })),
  });
