/**
 * Rule `sentence`: at most 25 words in a sentence of comments, docs and strings; strings of tests excepted.
 */
import { countWords, sentencesOf } from './sentences.mjs';

export const MAX_WORDS = 25;

export function checkSentences(file) {
  const findings = [];
  const isTest = file.path.startsWith('test/');
  for (const passage of file.passages) {
    if (passage.kind === 'diagram' || (passage.kind === 'string' && isTest)) continue;
    for (const { text, offset } of sentencesOf(passage.masked)) {
      const words = countWords(text);
      if (words <= MAX_WORDS) continue;
      const start = passage.text
        .slice(offset, offset + 60)
        .replace(/\s+/g, ' ')
        .replaceAll('**', '');
      findings.push({
        rule: 'sentence',
        line: passage.lineAt(offset),
        found: start,
        message: `${words} words → at most ${MAX_WORDS}: "${start}…"`,
      });
    }
  }
  return findings;
}
