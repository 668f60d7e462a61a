import { checkNotOwn } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { resumed } from './job-changes';
import { changeStatus } from './change-status';

/** The first occurrence after now is the next to fire, and what was due meanwhile never does. */
export const resumeJob = changeStatus((current, at, request) => {
  checkNotOwn(current, request);
  return resumed(current, at, { deliveryDepth: deliveryDepthOf(request) });
});
