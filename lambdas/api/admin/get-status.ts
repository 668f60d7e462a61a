import { statusView } from './status-view';
import type { OperationHandler } from '../request';

/** 200 with the state of the deployment. */
export const getStatus: OperationHandler = async (_request, deps) => ({
  status: 200,
  body: await statusView(deps),
});
