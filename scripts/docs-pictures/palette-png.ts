import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 256;

interface Pixels {
  width: number;
  height: number;
  /** `0xrrggbb`, row by row. */
  colours: Uint32Array;
}

/**
 * A picture with at most 256 of its colours: half the bytes. The most frequent colours stay exact. The rest,
 * mostly edges of letters, become the nearest of these. Takes what Chromium makes: 8 bits a channel, not
 * interlaced. Transparency is lost.
 */
export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const palette = paletteOf(colours);
  const nearest = new Map<number, number>();
  const rows = Buffer.alloc(height * (width + 1)); // each row begins with its filter: none
  for (let at = 0; at < colours.length; at++) {
    const colour = colours[at]!;
    let index = nearest.get(colour);
    if (index === undefined) nearest.set(colour, (index = nearestOf(palette, colour).index));
    rows[at + Math.floor(at / width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits a pixel, which name a colour of the palette
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** Colours by how often they occur, each at a distance from those before it that leaves at most 256. */
function paletteOf(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  for (let least = 1; ; least = Math.ceil(least * 1.4) + 1) {
    const palette: number[] = [];
    for (const colour of frequent) {
      if (palette.length > 0 && nearestOf(palette, colour).distance < least) continue;
      palette.push(colour);
      if (palette.length > MOST_COLOURS) break;
    }
    if (palette.length <= MOST_COLOURS) return palette;
  }
}

function nearestOf(palette: readonly number[], colour: number): { index: number; distance: number } {
  let [index, distance] = [0, Infinity];
  for (let at = 0; at < palette.length; at++) {
    const other = palette[at]!;
    const red = (colour >> 16) - (other >> 16);
    const green = ((colour >> 8) & 255) - ((other >> 8) & 255);
    const blue = (colour & 255) - (other & 255);
    const between = red * red + green * green + blue * blue;
    if (between < distance) [index, distance] = [at, between];
  }
  return { index, distance };
}

function decode(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = { 2: 3, 6: 4 }[body[9]!] ?? 0;
      if (body[8] !== 8 || channels === 0 || body[12] !== 0) throw new Error('a picture of another kind');
    }
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * channels, channels);
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at++) colours[at] = bytes.readUIntBE(at * channels, 3);
  return { width, height, colours };
}

/** Undoes the filters of the rows (PNG specification, section 9). */
function unfiltered(filtered: Buffer, stride: number, step: number): Buffer {
  const rows = filtered.length / (stride + 1);
  const bytes = Buffer.alloc(rows * stride);
  for (let row = 0; row < rows; row++) {
    const kind = filtered[row * (stride + 1)]!;
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column;
      const left = column >= step ? bytes[at - step]! : 0;
      const above = row > 0 ? bytes[at - stride]! : 0;
      const corner = row > 0 && column >= step ? bytes[at - stride - step]! : 0;
      const predicted = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][kind]!;
      bytes[at] = filtered[row * (stride + 1) + 1 + column]! + predicted;
    }
  }
  return bytes;
}

function paeth(left: number, above: number, corner: number): number {
  const sum = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(sum - left), Math.abs(sum - above), Math.abs(sum - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
