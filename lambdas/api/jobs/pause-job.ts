import { paused } from './job-changes';
import { changeStatus } from './change-status';

/** No new attempt calls the target once this has answered. */
export const pauseJob = changeStatus(paused);
