import { HOP_HEADER, MAX_HOPS } from '../../core/contracts/loop-guard';
import { conflict, invalidField } from './problem';
import type { ApiRequest } from '../request';

/**
 * How many deliveries led to this request: each carries the number, and a target that asks for work in turn hands it on. A
 * job that in the end calls for itself would otherwise never cease. Undefined for a request of nobody's target. Throws
 * `Problem` 400, and 409 where the chain is too long.
 */
export function hopOf({ headers }: ApiRequest): number | undefined {
  const header = headers[HOP_HEADER]?.trim();
  if (header === undefined) return undefined;
  if (!/^\d{1,4}$/.test(header)) throw invalidField('Quarterjack-Hop', 'must be a whole number');
  const hop = Number(header);
  if (hop >= MAX_HOPS)
    throw conflict(
      `the request comes from a delivery at the end of a chain of ${hop}; at most ${MAX_HOPS} are allowed`,
    );
  return hop === 0 ? undefined : hop;
}
