import { stripVTControlCharacters } from 'node:util';

const GRAPHEMES = new Intl.Segmenter();
const NARROW = /^[\x20-\x7e]*$/;
/** What terminals draw two columns wide. */
const WIDE =
  /^(?:[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|.\ufe0f)/u;
/** What they draw on top of what is before it. */
const WITHOUT_WIDTH = /^[\p{M}\p{Cf}]+$/u;
// oxlint-disable-next-line no-control-regex -- the colours of `style.ts`
const COLOUR = /(\u001b\[[\d;]*m)/;

/** How many columns of a terminal a text takes. It may contain colours. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(stripVTControlCharacters(text))) width += columnsOf(segment);
  return width;
}

function columnsOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return WITHOUT_WIDTH.test(grapheme) ? 0 : 1;
}

/** The text, or its beginning and `…`, in so many columns. Colours stay, and end where they ended. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let left = columns - 1;
  const parts = text.split(COLOUR).map((part, index) => {
    if (index % 2 === 1) return part;
    let kept = '';
    for (const { segment } of GRAPHEMES.segment(part)) {
      const width = columnsOf(segment);
      if (left < 0 || width > left) {
        if (left >= 0) kept += '…';
        left = -1;
        break;
      }
      kept += segment;
      left -= width;
    }
    return kept;
  });
  return parts.join('');
}
