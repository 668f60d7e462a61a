/** A line without an end is passed on in parts of this length. */
const MAX_OPEN_CHARACTERS = 65_536;

/**
 * Bytes as lines of text. Bytes that are not UTF-8 become U+FFFD; other bytes, such as those of colours, stay
 * as they are.
 */
export class LineSplitter {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private open = '';

  /** The lines that these bytes complete, without their line ends. */
  push(bytes: Uint8Array): string[] {
    return this.split(this.decoder.decode(bytes, { stream: true }));
  }

  /** The last line, if it has no line end. */
  end(): string[] {
    const lines = this.split(this.decoder.decode());
    const rest = this.open;
    this.open = '';
    return rest === '' ? lines : [...lines, rest];
  }

  private split(text: string): string[] {
    const lines = (this.open + text).split('\n');
    this.open = lines.pop() ?? '';
    if (this.open.length >= MAX_OPEN_CHARACTERS) {
      lines.push(this.open);
      this.open = '';
    }
    return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  }
}
