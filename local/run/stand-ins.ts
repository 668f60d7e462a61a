import { trustLocalIssuer } from '../issuer/trust-local-issuer';
import { ownDashboard } from '../metrics/own-dashboard';
import { KEY_SET_PATH } from '../pages/local-pages';
import type { LocalStack } from '../template/stack';
import { allowTargetsBeside, type TargetsBeside } from './targets-beside';

interface StandInDeps {
  /** URL of the local run. */
  url: string;
  beside: TargetsBeside;
  /** Receives a line if the local issuer replaces another. */
  out(line: string): void;
}

/**
 * The stack with what the local run has in place of an issuer, of CloudWatch, and of hosts that a deployment
 * cannot reach.
 */
export function withStandIns(stack: LocalStack, { url, beside, out }: StandInDeps): LocalStack {
  const trust = { audience: url, jwksUri: url + KEY_SET_PATH, out };
  return ownDashboard(trustLocalIssuer(allowTargetsBeside(stack, url, beside), trust));
}
