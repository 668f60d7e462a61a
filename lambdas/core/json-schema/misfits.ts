import { pointerPart } from './keywords';

/** Where a value does not fit, which keyword says so, and what it has to be. */
export interface Misfit {
  /** Names of fields and indexes of items, from the outermost. */
  parts: readonly (string | number)[];
  /** A JSON pointer, in which long names are cut off. */
  pointer: string;
  keyword: string;
  message: string;
}

export interface Position {
  part: string | number;
  above: Position | undefined;
}

/** A misfit whose words are not written yet: most are never shown. */
export interface Found {
  position: Position | undefined;
  keyword: string;
  says: () => string;
}

/** Where a value stands, and where its misfits go. Without a list, only the answer counts. */
export interface At {
  position?: Position | undefined;
  misfits?: Found[] | undefined;
}

const MAX_MISFITS = 50;

const partsOf = (position: Position | undefined): (string | number)[] =>
  position ? [...partsOf(position.above), position.part] : [];

const MAX_NAME = 200;
const pointerOf = (parts: Misfit['parts']): string =>
  parts.map((part) => pointerPart(String(part).slice(0, MAX_NAME))).join('');

export function misfitOf({ position, keyword, says }: Found): Misfit {
  const parts = partsOf(position);
  return { parts, pointer: pointerOf(parts), keyword, message: says() };
}

export function report({ position, misfits }: At, keyword: string, says: () => string): 'unfit' {
  if (misfits && misfits.length < MAX_MISFITS) misfits.push({ position, keyword, says });
  return 'unfit';
}

const NOWHERE: At = {};
export const below = ({ position, misfits }: At, part: string | number): At =>
  misfits ? { position: { part, above: position }, misfits } : NOWHERE;

const OF_TYPE = new Set(['type', 'const', 'enum']);

/**
 * Reports a value that fits no schema of a list. If it is of the type of one of them alone, that one was
 * meant. If it is of none of their types, it may have any of these.
 */
export function reportBranches(at: At, keyword: string, branches: readonly (readonly Found[])[]): 'unfit' {
  const wrongType = (misfits: readonly Found[]) =>
    misfits.find((one) => one.position === at.position && OF_TYPE.has(one.keyword));
  const meant = branches.filter((misfits) => !wrongType(misfits));
  const [only] = meant;
  if (only && meant.length === 1 && only.length > 0) {
    for (const { position, keyword: by, says } of only) report({ ...at, position }, by, says);
    return 'unfit';
  }
  return report(at, keyword, () =>
    only
      ? `must fit one of the ${branches.length} schemas of ${keyword}`
      : [...new Set(branches.map((misfits) => wrongType(misfits)!.says()))].join('; or '),
  );
}
