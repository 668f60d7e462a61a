import { unavailable } from '../http/problem';
import type { OperationHandler } from '../request';

export const appendLog: OperationHandler = () => Promise.reject(unavailable(new Error('not yet')));
