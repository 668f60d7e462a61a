/**
 * Rules `width` and `cell`: lines of comments and docs within 110 columns, cells of tables within 200
 * characters.
 */
export const MAX_COLUMNS = 110;
export const MAX_CELL = 200;

/** A line that is one link, or one word, cannot be broken. */
const UNBREAKABLE =
  /^[\s*/#>-]*(?:\d+\.\s+)?(?:\S+|\[!?\[?[^\]]*\](?:\([^)]*\)\])?\([^)]*\)[.,;:]?|\[[^\]]+\]:\s+\S+)\s*$/;

const lengthOf = (text) => [...text].length;

export function checkWidths(file) {
  return [...new Set(file.proseLines)].flatMap((line) => {
    const text = file.lines[line - 1];
    const columns = lengthOf(text);
    if (columns <= MAX_COLUMNS || UNBREAKABLE.test(text)) return [];
    const message = `${columns} columns → at most ${MAX_COLUMNS}`;
    return [{ rule: 'width', line, found: text.trim().slice(0, 60), message }];
  });
}

export function checkCells(file) {
  return file.cells.flatMap(({ line, raw }) => {
    const length = lengthOf(raw);
    if (length <= MAX_CELL) return [];
    const message = `cell of ${length} characters → at most ${MAX_CELL}: "${raw.slice(0, 60)}…"`;
    return [{ rule: 'cell', line, found: raw.slice(0, 60), message }];
  });
}
