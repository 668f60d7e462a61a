/**
 * Header of a delivery with its delivery depth: 1, or one more than the depth of the delivery that caused it.
 */
export const DEPTH_HEADER = 'quarterjack-hop';
/** Greatest depth of a delivery. The API rejects requests that would lead to a deeper one. */
export const MAX_DELIVERY_DEPTH = 3;
/** Most jobs in a row that start each other with `after`. */
export const MAX_AFTER_DEPTH = 10;

/** The delivery depth of a delivery, by the depth of the one that led to it. */
export const depthAfter = (deliveryDepth = 0): number => deliveryDepth + 1;
