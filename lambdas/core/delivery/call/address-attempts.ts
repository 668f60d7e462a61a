/**
 * How long to try one of several addresses before the next. Node's default of 250 ms is less than a handshake
 * across an ocean may take. Without IPv6, as in Lambda outside a VPC, the other addresses cannot be reached
 * at all.
 */
const TRY_ADDRESS_MS = 5_000;

/** Options of an agent. */
export const TRYING = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: TRY_ADDRESS_MS };
