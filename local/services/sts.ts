import { denialMessage } from '../iam/access';
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
  /** Roles of the stack admit AWS services alone. */
  isOwnRole(arn: string): boolean;
}

/**
 * STS's `AssumeRole`, for roles outside the stack. Their trust policies are unknown, so each role trusts
 * every caller whose own policy lets it assume the role. The requests are listed with those to other external
 * resources.
 */
export function sts({ callers, external, clock, isOwnRole }: StsDeps): AwsService {
  return {
    targetPrefix: 'AWSSecurityTokenServiceV20110615.',
    queryVersion: VERSION,
    async call({ action, body }) {
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
      if (isOwnRole(RoleArn)) return failed(403, 'AccessDenied', `${RoleArn} does not trust its caller`);
      const { RoleSessionName = '', ExternalId, DurationSeconds = DEFAULT_SEC } = rest;
      external.record(RoleArn, { RoleSessionName, ExternalId });
      const expiration = new Date(clock.nowMs() + Number(DurationSeconds) * 1_000).toISOString();
      return answerOf(callers.issueSession(RoleArn, RoleSessionName), expiration);
    },
    permissions: ({ action, body }) =>
      action === 'AssumeRole'
        ? [{ action: 'sts:AssumeRole', resource: String(new URLSearchParams(body).get('RoleArn')) }]
        : [],
    denied: (denial) => failed(403, 'AccessDenied', denialMessage(denial)),
    async stop() {},
  };
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
