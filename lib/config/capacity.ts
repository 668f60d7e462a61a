import * as z from 'zod';

import { int } from './values';

/** A table's default quota in each region. */
const MAX_UNITS = 40_000;

const Units = z
  .strictObject({ min: int(1, MAX_UNITS), max: int(1, MAX_UNITS) })
  .refine(({ min, max }) => min <= max, { path: ['max'], error: 'expected at least the value of min' });

const TableCapacity = z.strictObject({ read: Units, write: Units });
export type TableCapacity = z.output<typeof TableCapacity>;

/** Units per second of each table, and of its index, between which autoscaling moves. */
export const Capacity = z.strictObject({
  jobs: TableCapacity,
  executions: TableCapacity,
  schedule: TableCapacity,
});
