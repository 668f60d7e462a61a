import type { Row, TableAccess } from '../access';
import { conditionalUpdate, type WriteAnswer } from '../conditional-write';
import { allOf, updateOf } from '../expressions';

/** Where marks are written: in a run, in a segment of a fan-out, or in the head of a fan-out. */
interface MarksAt {
  key: Row;
  /** The marks by their paths in the row: `#run.#marks.#3`, `#m17`, `#s4`. */
  marks: Readonly<Record<string, string>>;
  /** What must hold besides, and its values. */
  conditions?: readonly string[];
  values?: Row;
  /** What the write sets besides. */
  set?: readonly string[];
  /** Which row it returns. Default: the row after it. */
  returns?: 'ALL_OLD' | 'ALL_NEW';
}

/**
 * The write of marks on all three levels. Condition: none of them is there yet. So marks have an order, and
 * exactly one write is the one that fills a row. Cost: 1 write unit a KB of the row.
 */
export function writeMarks(
  access: TableAccess,
  { key, marks, conditions = [], values = {}, set = [], returns = 'ALL_NEW' }: MarksAt,
): Promise<WriteAnswer> {
  const paths = Object.keys(marks);
  return conditionalUpdate(access, {
    Key: key,
    ConditionExpression: allOf(...conditions, ...paths.map((path) => `attribute_not_exists(${path})`)),
    UpdateExpression: updateOf({ set: [...paths.map((path, at) => `${path} = :mark${at}`), ...set] }),
    ExpressionAttributeValues: {
      ...values,
      ...Object.fromEntries(paths.map((path, at) => [`:mark${at}`, marks[path]])),
    },
    ReturnValues: returns,
  });
}

/** The attributes `<letter>0`, `<letter>1` … by their numbers. */
export const numbered = (row: Row, letter: string): Record<number, string> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name.startsWith(letter) && /^\d+$/.test(name.slice(1)))
      .map(([name, value]) => [Number(name.slice(1)), value as string]),
  );
