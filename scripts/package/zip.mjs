import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

/** 1 January 1980, the first day that the format knows: equal files make equal archives. */
const DATE = 0x21;
const DEFLATED = 8;
const VERSION = 20;
/** Made on Unix, so that Lambda may read the files: `-rw-r--r--`. */
const MADE_BY_UNIX = (3 << 8) | VERSION;
const MODE = 0o100644 * 0x1_0000;
const UTF8_NAMES = 1 << 11;

/** All files below a folder as a zip archive, sorted by name. */
export function zipOf(folder) {
  const names = readdirSync(folder, { recursive: true })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort(byText);
  const local = [];
  const central = [];
  let offset = 0;
  for (const name of names) {
    const content = readFileSync(join(folder, name));
    const path = Buffer.from(name.split(sep).join('/'));
    const packed = deflateRawSync(content, { level: 9 });
    const common = commonFields(path, content, packed);
    const header = Buffer.concat([fields([4, 0x04034b50]), common, fields([2, 0]), path]);
    local.push(header, packed);
    const rest = fields([2, 0], [2, 0], [2, 0], [2, 0], [4, MODE], [4, offset]);
    central.push(fields([4, 0x02014b50], [2, MADE_BY_UNIX]), common, rest, path);
    offset += header.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const count = names.length;
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, directory.length]);
  return Buffer.concat([...local, directory, end, fields([4, offset], [2, 0])]);
}

const byText = (a, b) => (a < b ? -1 : 1);

/** What a file's header and its entry in the directory share, up to the length of the name. */
const commonFields = (path, content, packed) =>
  fields(
    [2, VERSION],
    [2, UTF8_NAMES],
    [2, DEFLATED],
    [2, 0],
    [2, DATE],
    [4, crc32(content)],
    [4, packed.length],
    [4, content.length],
    [2, path.length],
  );

/** Little-endian numbers, each as its length in bytes and its value. */
function fields(...all) {
  const buffer = Buffer.alloc(all.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of all) at = buffer.writeUIntLE(value, at, length);
  return buffer;
}
