/**
 * The words of a simple command, without quotes and backslashes, and without redirections to /dev/null.
 * Undefined for a command that needs a shell: one with pipes, several commands, variables, substitution,
 * patterns or other redirections.
 */
export const shellWords = (command: string): string[] | undefined => wordsOf(command, QUIET);

/** The words of a command without a shell. Undefined if it needs one, also for any redirection. */
export const plainWords = (plain: string): string[] | undefined => wordsOf(plain);

/** A redirection that only hides output. Its number is one only at the beginning of a word. */
const QUIET = /(?:&>>?|[12]?>>?)\s*\/dev\/null(?=\s|$)|2>&1(?=\s|$)/y;
const DOUBLE_QUOTED = /"((?:[^"\\$`]|\\.)*)"/sy;

/** Each character is read once: a line may be long. */
function wordsOf(plain: string, redirection?: RegExp): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < plain.length; at++) {
    const character = plain[at] as string;
    const skipped = redirection && matchAt(redirection, plain, at);
    if (skipped && (word === undefined || !/\d/.test(character))) {
      at += skipped[0].length - 1;
    } else if (character === "'") {
      const end = plain.indexOf("'", at + 1);
      if (end < 0) return undefined;
      word = (word ?? '') + plain.slice(at + 1, end);
      at = end;
    } else if (character === '"') {
      const quoted = matchAt(DOUBLE_QUOTED, plain, at);
      if (!quoted) return undefined;
      word = (word ?? '') + (quoted[1] as string).replace(/\\(["\\$`])/g, '$1');
      at += quoted[0].length - 1;
    } else if (character === '\\') {
      at += 1;
      if (at >= plain.length) return undefined;
      word = (word ?? '') + plain[at];
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/[|&;<>()$`{}*~]/.test(character)) {
      return undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
