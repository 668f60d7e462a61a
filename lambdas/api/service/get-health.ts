import type { ApiResponse } from '../request';

/** 200: requests reach the API. Checks no store and no queue. */
export const getHealth = (): Promise<ApiResponse> =>
  Promise.resolve({ status: 200, body: { status: 'pass' } });
