/** How messages are sent: SQS's limit of one call, and how many calls of one send are on their way at once. */
export const MESSAGES_A_BATCH = 10;
export const BATCHES_AT_ONCE = 8;
