import { statusView } from './deployment-status';
import type { OperationHandler } from '../request';

export const getStatus: OperationHandler = async (_request, deps) => ({
  status: 200,
  body: await statusView(deps),
});
