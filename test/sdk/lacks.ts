import type { Language } from './suite/languages';

/** Cases that an SDK does not pass, by the name of the case, each with the reason that the table shows. */
export const LACKS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  typescript: {},
  python: {},
  go: {},
};
