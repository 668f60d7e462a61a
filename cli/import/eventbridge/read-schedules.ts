import type * as Sdk from '@aws-sdk/client-scheduler';

import { inParallel } from '../../commands/in-parallel';
import type { AwsSchedule } from './translate';

export interface AwsFilter {
  region?: string;
  /** One group; all of them without it. */
  group?: string;
  namePrefix?: string;
}

/** The schedules that AWS answers in full; it throttles long before the network is busy. */
const AT_ONCE = 4;
const MAX_ATTEMPTS = 10;

/** All schedules of an account and region: every page, every group. `found` gets their number, `step` is called for each. */
export async function readSchedules(
  { region, group, namePrefix }: AwsFilter,
  progress: { found(count: number): () => void },
): Promise<AwsSchedule[]> {
  // The AWS SDK takes its time to load, and no other command needs it.
  const sdk = await import('@aws-sdk/client-scheduler');
  const client = new sdk.SchedulerClient({ region, maxAttempts: MAX_ATTEMPTS });
  try {
    const summaries: Sdk.ScheduleSummary[] = [];
    for await (const page of sdk.paginateListSchedules(
      { client, pageSize: 100 },
      { GroupName: group, NamePrefix: namePrefix },
    ))
      summaries.push(...(page.Schedules ?? []));
    const step = progress.found(summaries.length);
    const read = await inParallel(
      summaries,
      async ({ Name, GroupName }) => {
        const schedule = await readOne(sdk, client, Name, GroupName);
        step();
        return schedule;
      },
      AT_ONCE,
    );
    return read.filter((schedule) => schedule !== undefined);
  } finally {
    client.destroy();
  }
}

/** Undefined where it was deleted since it was listed. */
async function readOne(
  { GetScheduleCommand, ResourceNotFoundException }: typeof Sdk,
  client: Sdk.SchedulerClient,
  Name: string | undefined,
  GroupName: string | undefined,
): Promise<AwsSchedule | undefined> {
  try {
    return await client.send(new GetScheduleCommand({ Name, GroupName }));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
