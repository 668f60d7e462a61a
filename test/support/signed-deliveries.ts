import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A delivery of `test/fixtures/signing`, with the signatures that another implementation made. */
export interface SignedDelivery {
  name: string;
  /** `whsec_…`, the current one first. */
  hostSecrets: string[];
  legacySecrets: string[];
  body: string;
  /** All headers that matter to the signatures, with both signatures. */
  headers: Record<string, string>;
  /** The text that `quarterjack-signature` signs. */
  signedHeaders: string;
}

const PATH = join(__dirname, '../fixtures/signing/deliveries.json');

/** When they were sent. */
export const SIGNED_AT_MS = Date.parse('2026-12-01T08:30:00Z');

export const signedDeliveries = (JSON.parse(readFileSync(PATH, 'utf8')) as { deliveries: SignedDelivery[] })
  .deliveries;
