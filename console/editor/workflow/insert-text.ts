/** Replaces a part of what a field holds, as if it were typed: the browser can take it back. */
export function insertText(
  area: HTMLTextAreaElement,
  text: string,
  from = area.selectionStart,
  to = area.selectionEnd,
): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, from, to, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** What Enter inserts: a new line, as deep as the last one of the text before, or deeper after a bracket. */
export function newLineAfter(before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return `\n${/^ */.exec(line)![0]}${/[{[]\s*$/.test(line) ? '  ' : ''}`;
}
