import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { calendarView, requestedCalendar } from './calendar-view';

/** 200 with a calendar. */
export const getCalendar = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> => ({
  status: 200,
  body: await calendarView(await requestedCalendar(request, deps), deps),
});
