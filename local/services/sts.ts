import { denialMessage } from '../iam/access';
import { PolicyDocument, rolePolicy, type Statement } from '../iam/policy';
import type { AwsReply, AwsService } from './aws-call';
import { failed, xml } from './aws-xml';
import type { Callers } from './callers';
import type { ExternalResources } from './external-resources';

const VERSION = '2011-06-15';
const DEFAULT_SEC = 3_600;
const ALLOWED: Readonly<Record<string, RegExp>> = {
  RoleSessionName: /^[\w+=,.@-]{2,64}$/,
  ExternalId: /^[\w+=,.@:/-]{2,1224}$/,
};

interface StsDeps {
  callers: Callers;
  external: ExternalResources;
  clock: { nowMs(): number };
  isOwnRole(arn: string): boolean;
  /** Whether a role of the stack trusts another. */
  trusts(roleArn: string, assumedBy: string): boolean;
}

/** As the API reference of STS says of the policy of a session. */
const MOST_POLICY_CHARACTERS = 2_048;

/**
 * STS's `AssumeRole`. The trust policies of roles outside the stack are unknown, so each of them trusts every
 * caller whose own policy lets it assume the role. Those requests are listed with the ones to other external
 * resources.
 */
export function sts({ callers, external, clock, isOwnRole, trusts }: StsDeps): AwsService {
  return {
    targetPrefix: 'AWSSecurityTokenServiceV20110615.',
    queryVersion: VERSION,
    async call({ action, body, caller }) {
      if (action !== 'AssumeRole')
        return failed(400, 'InvalidAction', `The local run does not support the action ${action} of STS`);
      const fields = new URLSearchParams(body);
      const { RoleArn = '', ...rest } = Object.fromEntries(fields);
      for (const [name, allowed] of Object.entries(ALLOWED)) {
        if (!fields.has(name) || allowed.test(fields.get(name) ?? '')) continue;
        return failed(
          400,
          'ValidationError',
          `Value '${fields.get(name)}' at '${name}' failed to satisfy constraint`,
        );
      }
      const isExternal = !isOwnRole(RoleArn);
      if (!isExternal && !trusts(RoleArn, caller.roleArn ?? ''))
        return failed(403, 'AccessDenied', `${RoleArn} does not trust its caller`);
      const { RoleSessionName = '', ExternalId, DurationSeconds = DEFAULT_SEC, Policy } = rest;
      const policy = Policy === undefined ? undefined : sessionPolicy(Policy);
      if (policy === 'malformed')
        return failed(400, 'MalformedPolicyDocument', 'The session policy is not a policy of the right size');
      if (isExternal) external.record(RoleArn, { RoleSessionName, ExternalId });
      const expiration = new Date(clock.nowMs() + Number(DurationSeconds) * 1_000).toISOString();
      const session = { roleArn: RoleArn, name: RoleSessionName, isExternal, policy };
      return answerOf(callers.issueSession(session), expiration);
    },
    permissions: ({ action, body }) =>
      action === 'AssumeRole'
        ? [{ action: 'sts:AssumeRole', resource: String(new URLSearchParams(body).get('RoleArn')) }]
        : [],
    denied: (denial) => failed(403, 'AccessDenied', denialMessage(denial)),
    async stop() {},
  };
}

function sessionPolicy(text: string): Statement[] | 'malformed' {
  if (text.length > MOST_POLICY_CHARACTERS) return 'malformed';
  try {
    return rolePolicy(PolicyDocument.parse(JSON.parse(text)), 'session policy');
  } catch {
    return 'malformed'; // STS says no more of it
  }
}

const answerOf = (
  { accessKeyId, secretAccessKey, sessionToken }: ReturnType<Callers['issue']>,
  expiration: string,
): AwsReply =>
  xml(
    200,
    `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/${VERSION}/"><AssumeRoleResult><Credentials>` +
      `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>` +
      `<SessionToken>${sessionToken}</SessionToken><Expiration>${expiration}</Expiration>` +
      '</Credentials></AssumeRoleResult></AssumeRoleResponse>',
  );
