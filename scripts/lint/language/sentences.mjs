/** Splits the masked text of a passage into sentences and counts their words. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|resp|incl|St|Dr|Mr|Ms)\.$/i;
const ETC = /(?:^|[\s(])etc\.$/i;
const GOES_ON = /^\s+[\p{Ll}(]/u;
const END = /[.!?…]["'’”)\]*_]*(?=\s|$)/g;
const WORD = /[\p{L}\p{N}\uFFFC]/u;

/** @returns `{ text, offset }` for each sentence; `offset` is that of its first character in the passage */
export function sentencesOf(masked) {
  const sentences = [];
  let start = 0;
  const push = (end) => {
    const raw = masked.slice(start, end);
    const text = raw.trim();
    if (text) sentences.push({ text, offset: start + raw.indexOf(text) });
    start = end;
  };
  for (const match of masked.matchAll(END)) {
    const end = match.index + match[0].length;
    const upToDot = masked.slice(start, match.index + 1);
    if (ABBREVIATION.test(upToDot)) continue;
    if (ETC.test(upToDot) && GOES_ON.test(masked.slice(end))) continue;
    push(end);
  }
  push(masked.length);
  return sentences;
}

/** Words are divided by white space or dashes; a sign that has neither letter nor digit is not a word. */
export const countWords = (sentence) => sentence.split(/[\s–—]+/).filter((word) => WORD.test(word)).length;
