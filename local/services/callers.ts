import { randomBytes } from 'node:crypto';

import type { Caller } from './aws-call';

/** Credentials as Lambda puts them into a function's environment. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

/**
 * Who may call the AWS endpoint. Everyone has an access key of their own, so that a call tells whose it is.
 * Signatures are not checked: the endpoint is bound to loopback, and a key id that was never handed out is refused.
 */
export class Callers {
  private readonly byKey = new Map<string, Caller>();

  /** Makes credentials for a function's execution environment, or for the operator. */
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

  revoke(accessKeyId: string): void {
    this.byKey.delete(accessKeyId);
  }

  /** Reads a SigV4 `Authorization` header. Undefined where there is none, or where its key is unknown. */
  identify(authorization: string | undefined): Caller | undefined {
    const accessKeyId = /^AWS4-HMAC-SHA256 .*?Credential=([^/,\s]+)\//.exec(authorization ?? '')?.[1];
    return accessKeyId === undefined ? undefined : this.byKey.get(accessKeyId);
  }
}
