import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { requestedNotification, viewWithEmail } from './notification-view';

/** 200 with a notification. */
export async function getNotification(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  return { status: 200, body: await viewWithEmail(await requestedNotification(request, deps), deps) };
}
