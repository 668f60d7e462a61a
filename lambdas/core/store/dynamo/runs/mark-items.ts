import { groupCommit } from '../../../async/group-commit';
import { segmentMarksKeyOf } from '../../../contracts/execution-keys';
import { TTL_ATTRIBUTE } from '../../../contracts/tables';
import type { ItemMarks } from '../../../domain/workflow/fan-out';
import { executionMapKey } from '../../execution-store';
import type { FanOutStore } from '../../fan-out-store';
import type { Row, TableAccess } from '../access';
import { readRow } from '../read-row';
import { numbered } from './numbered';
import { writeMarks } from './write-marks';

/** All marks of a segment fit into one expression. */
const MOST_MARKINGS = 50;

interface Marking {
  key: Row;
  marks: ItemMarks;
  expiresAtSec: number;
}

type Marked = Awaited<ReturnType<FanOutStore['markItems']>>;

/**
 * Marks items of segments. Marks of one segment that fall together in this process are one write. They
 * count one after the other: each caller gets the row before and after its own ones, so one of them fills the
 * segment.
 *
 * Key: the segment's. Condition: none of these marks is there. It returns the row before, which shows whether
 * this call has made a mark. Cost: 1 write unit. Lost race: the marks as they are; a call that found some of
 * them writes the others.
 */
export function itemMarkingOf(access: TableAccess): FanOutStore['markItems'] {
  const mark = groupCommit<Marking, Marked>({
    commit: (group) => markItems(access, group),
    clash: (one, other) => Object.keys(one.marks).some((at) => Number(at) in other.marks),
    most: MOST_MARKINGS,
  });
  return (fanOut, segment, marks, expiresAtSec) =>
    mark(`${executionMapKey(fanOut)}#${segment}`, {
      key: segmentMarksKeyOf(fanOut, segment),
      marks,
      expiresAtSec,
    });
}

async function markItems(access: TableAccess, group: readonly Marking[]): Promise<Marked[]> {
  const { key } = group[0]!;
  const all: ItemMarks = Object.assign({}, ...group.map(({ marks }) => marks));
  const expiresAtSec = Math.max(...group.map((one) => one.expiresAtSec));
  const { before, made } = await writeOpen(access, key, all, expiresAtSec);
  let row = before;
  return group.map(({ marks }) => {
    const own = Object.entries(marks).filter(([at]) => Number(at) in made);
    const marked = { before: row, after: { ...row, ...Object.fromEntries(own) } };
    row = marked.after;
    return marked;
  });
}

/** @returns the marks before this write, and those that it has made */
async function writeOpen(
  access: TableAccess,
  key: Row,
  marks: ItemMarks,
  expiresAtSec: number,
): Promise<{ before: ItemMarks; made: ItemMarks }> {
  let open = marks;
  for (;;) {
    const answer = await writeMarks(access, {
      key,
      marks: Object.fromEntries(Object.entries(open).map(([at, mark]) => [`#m${at}`, mark])),
      set: [`#${TTL_ATTRIBUTE} = :expiresAtSec`],
      values: { ':expiresAtSec': expiresAtSec },
      returns: 'ALL_OLD',
    });
    if (answer.applied) return { before: marksOf(answer.row ?? {}), made: open };
    const before = marksOf(answer.current ?? (await readRow(access, key)) ?? {});
    open = Object.fromEntries(Object.entries(open).filter(([at]) => before[Number(at)] === undefined));
    if (Object.keys(open).length === 0) return { before, made: {} };
  }
}

export const marksOf = (row: Row): ItemMarks => numbered(row, 'm');
