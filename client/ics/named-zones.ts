import { cityZone } from './city-zones';
import { shownWindowsZone } from './windows-zones';

/** Zones of IANA that look like abbreviations, and mean one thing. */
const NAMES = new Set('CET EET MET WET GMT UTC UCT PRC ROC ROK'.split(' '));

/**
 * Whether a name is an abbreviation such as `EST` or `BST`. Runtimes know some of them, each in a meaning of
 * its own: `BST` is in Bangladesh, and `IST` in India.
 */
export const isAbbreviation = (name: string): boolean => /^[A-Z]{3,5}$/i.test(name) && !isName(name);

const isName = (name: string): boolean =>
  NAMES.has(name.toUpperCase()) || /^(?:Cuba|Egypt|Eire|Iran|Japan|Libya|Zulu)$/i.test(name);

/** What abbreviations mean to most of those who write them. */
const ABBREVIATIONS: Readonly<Partial<Record<string, string>>> = {
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  BST: 'Europe/London',
  CEST: 'Europe/Berlin',
  EEST: 'Europe/Athens',
  WEST: 'Europe/Lisbon',
  JST: 'Asia/Tokyo',
  AEST: 'Australia/Sydney',
};

/** A zone that a name may mean which is none: an abbreviation, a name that Windows shows, or an offset. */
export function suggestedZone(name: string): string | undefined {
  const abbreviated = ABBREVIATIONS[name.toUpperCase()];
  if (abbreviated !== undefined) return abbreviated;
  const [, sign, hours] = /^(?:UTC|GMT)?([+-])0?(\d{1,2})(?::?00)?$/i.exec(name.trim()) ?? [];
  // Etc/GMT-2 is two hours ahead of UTC
  if (sign !== undefined) return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`;
  return shownWindowsZone(name) ?? cityZone(name);
}
