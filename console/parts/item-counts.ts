import type { TaskState } from '../../client/browser';
import { count } from '../time/format';

/** How many items of a fan-out have each status. */
export type Counts = NonNullable<TaskState['items']>;

/** How many items have ended, of all: `37 / 1,000`. */
export const endedText = ({ count: all, succeeded, failed, cancelled }: Counts): string =>
  `${count(succeeded + failed + cancelled)} / ${count(all)}`;

/** `37 / 1,000 ended · 2 failed · 5 running` */
export const countsText = (counts: Counts): string =>
  [
    `${endedText(counts)} ended`,
    ...(['failed', 'cancelled', 'running', 'waiting'] as const)
      .filter((one) => counts[one] > 0)
      .map((one) => `${count(counts[one])} ${one}`),
  ].join(' · ');
