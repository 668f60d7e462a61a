/** Where code stands in a source: the offsets of its first character, and of what follows its last one. */
export interface Place {
  from: number;
  to: number;
}

/** What the formatter adds as it breaks lines: white space, and a comma before a closing bracket. */
const LAYOUT = /\s|,(?=\s*[)\]}])/;

/** The characters that are not layout, and where each stands. */
function charactersOf(text: string): { characters: string; offsets: number[] } {
  const offsets: number[] = [];
  let characters = '';
  const layout = new RegExp(LAYOUT, 'y');
  for (let offset = 0; offset < text.length; offset++) {
    layout.lastIndex = offset;
    if (layout.test(text)) continue;
    characters += text[offset]!;
    offsets.push(offset);
  }
  return { characters, offsets };
}

/** A comma at the end of code, which is layout in a source where a bracket follows. */
const LAST_COMMA = /,\s*$/;

/** Where the code occurs in a source, however either is laid out. */
export function placesOf(code: string, source: string): Place[] {
  const { characters: wanted } = charactersOf(code.replace(LAST_COMMA, ''));
  const { characters, offsets } = charactersOf(source);
  const places: Place[] = [];
  for (let at = characters.indexOf(wanted); at >= 0; at = characters.indexOf(wanted, at + 1)) {
    const from = offsets[at]!;
    const to = offsets[at + wanted.length - 1]! + 1;
    const comma = LAST_COMMA.test(code) ? /^\s*,/.exec(source.slice(to)) : [''];
    if (comma) places.push({ from, to: to + comma[0]!.length });
  }
  return places;
}
