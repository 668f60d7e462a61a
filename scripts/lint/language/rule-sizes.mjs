/** Rule `size`: at most 300 lines in a stylesheet. Scripts are measured by oxlint's rule `max-lines`. */
export const MAX_LINES = 300;

export function checkSizes({ kind, lines }) {
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (kind !== 'css' || count <= MAX_LINES) return [];
  return [{ rule: 'size', line: 1, found: '', message: `${count} lines → at most ${MAX_LINES}` }];
}
