import { randomBytes } from 'node:crypto';

import type { Session } from '../iam/access';
import type { Caller } from './aws-call';

/** Credentials as Lambda passes them to a function. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

/**
 * The callers of the AWS endpoint. Each has its own access key, which identifies it. Signatures are not
 * verified: the endpoint listens only on loopback, and rejects keys that were not issued here.
 */
export class Callers {
  private readonly byKey = new Map<string, Caller>();

  /** Issues credentials for an execution environment of a function, or without `owner` for the operator. */
  issue(owner?: { logicalId: string; name: string; roleArn: string }): Credentials {
    const accessKeyId = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`;
    this.byKey.set(accessKeyId, {
      accessKeyId,
      functionLogicalId: owner?.logicalId,
      functionName: owner?.name,
      roleArn: owner?.roleArn,
    });
    return {
      accessKeyId,
      secretAccessKey: randomBytes(30).toString('base64'),
      sessionToken: randomBytes(64).toString('base64'),
    };
  }

  /** Issues credentials for a session that someone has begun. They do not expire. */
  issueSession({ name, ...session }: Session): Credentials {
    const credentials = this.issue({ logicalId: '', name, roleArn: session.roleArn });
    const { accessKeyId } = credentials;
    this.byKey.set(accessKeyId, {
      accessKeyId,
      functionLogicalId: undefined,
      functionName: name,
      ...session,
      isExternal: session.isExternal ?? false,
    });
    return credentials;
  }

  revoke(accessKeyId: string): void {
    this.byKey.delete(accessKeyId);
  }

  /** The caller in a SigV4 `Authorization` header. Undefined without a header, or for an unknown key. */
  identify(authorization: string | undefined): Caller | undefined {
    const accessKeyId = /^AWS4-HMAC-SHA256 .*?Credential=([^/,\s]+)\//.exec(authorization ?? '')?.[1];
    return accessKeyId === undefined ? undefined : this.byKey.get(accessKeyId);
  }
}
