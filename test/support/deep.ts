/** Whether this is `npm run test:deep`: all seeds, rounds and sizes of what `npm test` plays a sample of. */
export const IS_DEEP = process.env.QUARTERJACK_DEEP !== undefined;
