/** Of a delivery: its place in a chain of deliveries that asked for one another, from 1. */
export const DEPTH_HEADER = 'quarterjack-hop';
/** Deliveries in one chain. */
export const MAX_DELIVERY_DEPTH = 3;
