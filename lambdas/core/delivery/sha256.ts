import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/** The hash that a signer of requests to AWS asks for, by Node.js. */
export class Sha256 {
  private readonly hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', secret as string | NodeJS.ArrayBufferView);
  }

  update(data: Uint8Array | string): void {
    this.hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}
