import { type Quarterjack, ValidationError } from '../../client';
import { inParallel } from '../in-parallel';
import { parseDurationMs } from '../terminal/times';
import type { FileJob } from './jobs-file';

/** A pause of a schedule that is longer than the `expectEvery` of its job: each of them is told as late. */
export interface QuietTime {
  jobId: string;
  /** `is due for nothing from … to …` */
  text: string;
}

/** Enough for the weekends and months that most schedules leave out. */
const TIMES = 100;
const HOUR_MS = 3_600_000;

/** The jobs of a plan whose own schedules leave longer pauses than their `expectEvery`. */
export async function quietTimes(
  client: Quarterjack,
  written: readonly { job: FileJob }[],
): Promise<QuietTime[]> {
  const expected = written.filter(({ job }) => job.definition.expectEvery !== undefined);
  const found = await inParallel(expected, async ({ job: { jobId, definition } }): Promise<QuietTime[]> => {
    const everyMs = parseDurationMs(String(definition.expectEvery)) ?? Number.POSITIVE_INFINITY;
    const longest = longestPause(await dueTimes(client, definition.schedule));
    if (!longest || longest.ms <= everyMs) return [];
    const hours = Math.floor(longest.ms / HOUR_MS);
    return [
      {
        jobId,
        text: `has expectEvery ${String(definition.expectEvery)}, but nothing is due for ${hours} h from ${longest.from} on`,
      },
    ];
  });
  return found.flat();
}

/** None of a schedule that the API cannot plan yet, because it names a calendar of the same plan. */
async function dueTimes(client: Quarterjack, schedule: unknown): Promise<{ ms: number; text: string }[]> {
  try {
    const { times } = await client.preview(schedule as never, { count: TIMES });
    return times.map(({ at, local }) => ({ ms: Date.parse(at), text: local }));
  } catch (error) {
    if (error instanceof ValidationError) return [];
    throw error;
  }
}

function longestPause(
  due: readonly { ms: number; text: string }[],
): { ms: number; from: string } | undefined {
  const pauses = due.slice(1).map(({ ms }, index) => ({ ms: ms - due[index]!.ms, from: due[index]!.text }));
  return pauses.sort((a, b) => b.ms - a.ms)[0];
}
