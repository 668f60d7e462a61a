import { DEPTH_HEADER, MAX_DELIVERY_DEPTH } from '../../core/contracts/loop-guard';
import { conflict, invalidField } from './problem';
import type { ApiRequest } from '../request';

/**
 * How many deliveries led to this request: each carries the number, and a target that asks for work in turn hands it on. A
 * job that in the end calls for itself would otherwise never cease. Undefined for a request of nobody's target. Throws
 * `ProblemError` 400, and 409 where the chain is too long.
 */
export function deliveryDepthOf({ headers }: ApiRequest): number | undefined {
  const header = headers[DEPTH_HEADER]?.trim();
  if (header === undefined) return undefined;
  if (!/^\d{1,4}$/.test(header)) throw invalidField('Quarterjack-Hop', 'must be a whole number');
  const deliveryDepth = Number(header);
  if (deliveryDepth >= MAX_DELIVERY_DEPTH)
    throw conflict(
      `the request comes from a delivery at the end of a chain of ${deliveryDepth}; at most ${MAX_DELIVERY_DEPTH} are allowed`,
    );
  return deliveryDepth === 0 ? undefined : deliveryDepth;
}
