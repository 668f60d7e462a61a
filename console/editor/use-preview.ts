import type { Preview } from '../../client/browser';
import { call } from '../api/client';
import { type ScheduleDraft, scheduleOf } from './schedule-draft';
import { type Typed, useTyped } from './use-typed';

/** When a schedule would fire, from an instant on, as the API says. */
export const usePreview = (draft: ScheduleDraft, from: string | undefined): Typed<Preview> =>
  useTyped(JSON.stringify([draft, from]), async (signal) => {
    const schedule = scheduleOf(draft);
    return call((api) => api.preview(schedule, { count: 10, from, signal }));
  });
