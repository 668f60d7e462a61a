/**
 * Takes the place of `client/ics/windows-zones` in the planning of the bundle: people choose a zone from a
 * list there. What reads calendars has the table.
 */
export const shownWindowsZone = (): undefined => undefined;
