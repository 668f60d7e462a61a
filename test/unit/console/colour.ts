/** Distances of colours as people see them, for the test of the palette. */

export type Rgb = readonly [red: number, green: number, blue: number];
type Matrix = readonly [Rgb, Rgb, Rgb];

const IDENTITY: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Machado, Oliveira and Fernandes 2009, severity 1.0, on linear light. */
export const VISIONS: Readonly<Record<string, Matrix>> = {
  normal: IDENTITY,
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

/** Linear light of `#1c755d`. */
export const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => linear(parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Rgb;

const dot = (a: Rgb, b: Rgb): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** What an eye gets of a colour. */
export const seenBy = (vision: Matrix, colour: Rgb): Rgb =>
  vision.map((row) => Math.min(1, Math.max(0, dot(row, colour)))) as unknown as Rgb;

const LUMINANCE: Rgb = [0.2126, 0.7152, 0.0722];

/** WCAG 2.2. */
export function contrast(a: Rgb, b: Rgb): number {
  const [dark, light] = [dot(LUMINANCE, a), dot(LUMINANCE, b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

type Lab = readonly [lightness: number, a: number, b: number];

function labOf(colour: Rgb): Lab {
  const curve = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = curve(dot([0.4124, 0.3576, 0.1805], colour) / 0.95047);
  const y = curve(dot(LUMINANCE, colour));
  const z = curve(dot([0.0193, 0.1192, 0.9505], colour) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const RADIANS = Math.PI / 180;
const cos = (degrees: number): number => Math.cos(degrees * RADIANS);

/** CIEDE2000 (Sharma, Wu and Dalal 2005). */
export function deltaE(first: Rgb, second: Rgb): number {
  const [l1, a1, b1] = labOf(first);
  const [l2, a2, b2] = labOf(second);
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7)));
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const hue = (b: number, p: number) => (Math.atan2(b, p) / RADIANS + 360) % 360;
  const [h1, h2] = [hue(b1, p1), hue(b2, p2)];
  const angle = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const hueDistance = 2 * Math.sqrt(c1 * c2) * Math.sin((angle / 2) * RADIANS);
  const lightness = (l1 + l2) / 2;
  const chroma = (c1 + c2) / 2;
  const meanHue = c1 * c2 === 0 ? h1 + h2 : (h1 + angle / 2 + 360) % 360;
  const t =
    1 -
    0.17 * cos(meanHue - 30) +
    0.24 * cos(2 * meanHue) +
    0.32 * cos(3 * meanHue + 6) -
    0.2 * cos(4 * meanHue - 63);
  const weightL = 1 + (0.015 * (lightness - 50) ** 2) / Math.sqrt(20 + (lightness - 50) ** 2);
  const weightC = 1 + 0.045 * chroma;
  const weightH = 1 + 0.015 * chroma * t;
  const rotation =
    -2 *
    Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) *
    Math.sin(2 * 30 * Math.exp(-(((meanHue - 275) / 25) ** 2)) * RADIANS);
  const [dl, dc, dh] = [(l2 - l1) / weightL, (c2 - c1) / weightC, hueDistance / weightH];
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh);
}
