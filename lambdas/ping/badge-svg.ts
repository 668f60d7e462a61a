import type { BadgeStatus } from './badge-status';

const COLOURS: Readonly<Record<BadgeStatus, string>> = {
  up: '#2c7f2c',
  late: '#9a6700',
  down: '#c0352b',
  paused: '#666',
  new: '#666',
};

/** Width of the mean character, at a size of 11. */
const CHARACTER_PX = 7;
const MARGIN_PX = 6;

/** An image with two fields, a label and a status. Both are of characters that need no escapes. */
export function badgeSvg(label: string, status: BadgeStatus): string {
  const [left, right] = [widthOf(label), widthOf(status)];
  const title = `${label}: ${status}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<rect width="${left}" height="20" fill="#444"/>
<rect x="${left}" width="${right}" height="20" fill="${COLOURS[status]}"/>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
${textAt(MARGIN_PX, label)}
${textAt(left + MARGIN_PX, status)}
</g>
</svg>
`;
}

const widthOf = (text: string): number => text.length * CHARACTER_PX + 2 * MARGIN_PX;

/** Its length is said, as fonts differ. */
const textAt = (x: number, text: string): string =>
  `<text x="${x}" y="14" textLength="${text.length * CHARACTER_PX}">${text}</text>`;
