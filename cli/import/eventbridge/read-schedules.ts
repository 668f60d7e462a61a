import type * as Sdk from '@aws-sdk/client-scheduler';

import { inParallel } from '../../in-parallel';
import { awsErrorOf } from './aws-error';
import type { AwsSchedule } from './translate';

interface AwsFilter {
  region?: string;
  /** Name of one group. All groups without it. */
  group?: string;
  namePrefix?: string;
}

/** Requests at a time for single schedules. AWS throttles well before the network is the limit. */
const CONCURRENCY = 4;
const MAX_ATTEMPTS = 10;

/**
 * Reads every schedule of an account and region that matches the filter. Calls `found` with their number,
 * then the function that it returns once for each schedule. Throws a `CliError` if AWS rejects
 * a request or does not respond.
 */
export async function readSchedules(
  { region, group, namePrefix }: AwsFilter,
  progress: { found(count: number): () => void },
): Promise<AwsSchedule[]> {
  // The SDK asks for a newer Node.js than this command line needs. Its user has not chosen the SDK.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // Loaded here, because the AWS SDK is slow to load and no other command needs it.
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
      { concurrency: CONCURRENCY },
    );
    return read.filter((schedule) => schedule !== undefined);
  } catch (error) {
    throw awsErrorOf(error);
  } finally {
    client.destroy();
  }
}

/** Undefined if the schedule was deleted after it was listed. */
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
