import type { Preview, Schedule } from '../../client/browser';
import { call } from '../api/client';
import { type Typed, useTyped } from './use-typed';

/** When a schedule would fire, from an instant on, as the API says. */
export const usePreview = (schedule: Schedule, from: string | undefined): Typed<Preview> =>
  useTyped(JSON.stringify([schedule, from]), (signal) =>
    call((api) => api.preview(schedule, { count: 10, from, signal })),
  );
