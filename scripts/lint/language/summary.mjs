import { inOrder } from './files.mjs';

/** Counts of findings by rule and folder, as a table of plain text. */
export function summaryOf(findings) {
  const counts = new Map();
  const add = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const folders = new Set();
  for (const { path, rule } of findings) {
    const folder = folderOf(path);
    folders.add(folder);
    for (const key of [`${folder} ${rule}`, `${folder} all`, `all ${rule}`, 'all all']) add(key);
  }
  const columns = [...[...new Set(findings.map(({ rule }) => rule))].sort(inOrder), 'all'];
  const rows = [...[...folders].sort(inOrder), 'all'].map((folder) => [
    folder,
    ...columns.map((column) => String(counts.get(`${folder} ${column}`) ?? 0)),
  ]);
  const width = Math.max(...rows.map(([folder]) => folder.length));
  const layOut = ([label, ...cells]) =>
    `${label.padEnd(width)}${cells.map((cell) => cell.padStart(10)).join('')}\n`;
  return [['', ...columns], ...rows].map(layOut).join('');
}

/** Two levels: `lambdas/core`, `test/unit`; files of the root by their own name. */
function folderOf(path) {
  const parts = path.split('/');
  return parts.length > 2 ? parts.slice(0, 2).join('/') : parts[0];
}
