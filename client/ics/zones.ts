import { type Clock, ianaClock } from './clock';
import { type Component, only } from './components';
import type { Property } from './content-lines';
import { IcsError } from './ics-error';
import { isAbbreviation, suggestedZone } from './named-zones';
import { windowsZone } from './windows-zones';
import { checkDefinition, definedClock, type DefinitionOptions } from './zone-definition';

/** The zones of a file: IANA names, names of Windows, and those that the file defines. */
export class Zones {
  /** What the file defines under a name, in any case: each of its calendars may. */
  private readonly own = new Map<string, Component[]>();
  private readonly known = new Map<string, Clock>();

  constructor(
    calendars: readonly Component[],
    private readonly options: DefinitionOptions,
  ) {
    for (const { components } of calendars)
      for (const component of components) {
        const id = component.name === 'VTIMEZONE' ? only(component, 'TZID')?.value.toLowerCase() : undefined;
        if (id !== undefined) this.own.set(id, [...(this.own.get(id) ?? []), component]);
      }
  }

  /** The clock of a name. Throws an `IcsError` at the line of the property that has it. */
  clock(name: string, { name: property, line }: Property): Clock {
    const clock = this.known.get(name) ?? this.newClock(name);
    if (!clock) {
      const meant = suggestedZone(name);
      throw new IcsError(
        `${property} has the zone ${JSON.stringify(name.slice(0, 64))}, which is none of IANA or Windows, and not ` +
          `defined in the file${meant === undefined ? '' : `; if it means ${meant}, write that`}`,
        line,
      );
    }
    this.known.set(name, clock);
    return clock;
  }

  /** The clock of IANA, if the name is one of its; or what the file defines. No definition contradicts it. */
  private newClock(name: string): Clock | undefined {
    const definitions = this.own.get(name.toLowerCase()) ?? [];
    const located = definitions.map((one) => ianaClock(only(one, 'X-LIC-LOCATION')?.value ?? ''));
    const named = isAbbreviation(name) ? undefined : ianaClock(ianaName(name) ?? '');
    const [first] = definitions;
    const clock = named ?? located.find(Boolean) ?? (first && definedClock(first, this.options));
    if (clock) for (const one of definitions) checkDefinition(one, { name, clock }, this.options);
    return clock;
  }
}

/** `Europe/Berlin` of itself, of `W. Europe Standard Time`, and of `/mozilla.org/2007/Europe/Berlin`. */
function ianaName(name: string): string | undefined {
  const windows = windowsZone(name);
  if (windows !== undefined) return windows;
  if (!name.startsWith('/')) return name;
  const parts = name.split('/');
  return [3, 2, 1].map((count) => parts.slice(-count).join('/')).find((end) => ianaClock(end));
}
