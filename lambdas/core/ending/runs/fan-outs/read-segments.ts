import { inParallel } from '../../../async/in-parallel';
import type { StageDeps } from '../../../deps';
import type { ExecutionRef } from '../../../store/execution-store';
import type { SegmentItems } from '../../../store/fan-out-store';

/** Segments that are read at the same time. */
const CONCURRENCY = 10;

/** The items of segments, by the numbers of these. One whose row has expired is left out. */
export async function readSegments(
  fanOut: ExecutionRef,
  segments: Iterable<number>,
  { fanOuts }: Pick<StageDeps, 'fanOuts'>,
): Promise<Map<number, SegmentItems>> {
  const listed = new Map<number, SegmentItems>();
  await inParallel(segments, CONCURRENCY, async (segment) => {
    const found = await fanOuts.getItems(fanOut, segment);
    if (found) listed.set(segment, found);
  });
  return listed;
}
