import { unavailable } from '../http/problem';
import type { OperationHandler } from '../request';

export const getExecutionLog: OperationHandler = () => Promise.reject(unavailable(new Error('not yet')));
export const getTaskLog = getExecutionLog;
