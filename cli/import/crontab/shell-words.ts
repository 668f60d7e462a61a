/**
 * The words of a simple command, without quotes and backslashes, and without redirections to /dev/null.
 * Undefined for a command that needs a shell: one with pipes, several commands, variables, substitution,
 * patterns or other redirections.
 */
export const shellWords = (command: string): string[] | undefined =>
  plainWords(command.replace(/\s*(?:&>|[12]?>>?)\s*\/dev\/null|\s*2>&1/g, ' ').trim());

/** The same, but any redirection needs a shell. */
export function plainWords(plain: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < plain.length; at++) {
    const character = plain[at] as string;
    if (character === "'") {
      const end = plain.indexOf("'", at + 1);
      if (end < 0) return undefined;
      word = (word ?? '') + plain.slice(at + 1, end);
      at = end;
    } else if (character === '"') {
      const quoted = /^"((?:[^"\\$`]|\\.)*)"/s.exec(plain.slice(at));
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
