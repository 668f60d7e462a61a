import { contentLines, type Property } from './content-lines';
import { IcsError } from './ics-error';

/** What stands between a `BEGIN` and its `END`. */
export interface Component {
  line: number;
  name: string;
  properties: Property[];
  components: Component[];
}

/** The calendars of a file. Throws an `IcsError`. */
export function calendarsIn(text: string): Component[] {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text.replace(/^\uFEFF/, '')))
    throw new IcsError('is no iCalendar file: BEGIN:VCALENDAR is missing');
  const file: Component = { line: 0, name: '', properties: [], components: [] };
  const open = [file];
  for (const property of contentLines(text)) {
    const { name, value, line } = property;
    const inner = open.at(-1)!;
    if (name === 'BEGIN') {
      const component = { line, name: value.toUpperCase(), properties: [], components: [] };
      inner.components.push(component);
      open.push(component);
    } else if (name === 'END') {
      if (inner.name !== value.toUpperCase() || inner === file)
        throw new IcsError(`END:${value} ends no component that is open`, line);
      open.pop();
    } else if (inner === file) throw new IcsError(`${name} stands outside of a calendar`, line);
    else inner.properties.push(property);
  }
  if (open.length > 1)
    throw new IcsError(`${open.at(-1)!.name} has no end: the file is cut off`, open.at(-1)!.line);
  return file.components;
}

/** The one property of a name. Throws an `IcsError` for a second one. */
export function only({ properties }: Component, name: string): Property | undefined {
  const [first, second] = properties.filter((one) => one.name === name);
  if (second) throw new IcsError(`is a second ${name}; the first one is on line ${first!.line}`, second.line);
  return first;
}

export const all = ({ properties }: Component, name: string): Property[] =>
  properties.filter((one) => one.name === name);
