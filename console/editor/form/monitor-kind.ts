import type { KindRow } from './field';

/** A job that runs elsewhere. Nothing is called, so it stands alone. */
export const MONITOR: KindRow & { isAlone: true } = {
  words: 'A job elsewhere that pings',
  isAlone: true,
  start: { type: 'monitor', pingWithin: '1h' },
  fields: [
    {
      path: 'pingWithin',
      label: 'Pings within',
      kind: 'text',
      isRequired: true,
      hint: 'so long after it is due: 1h',
    },
    { path: 'methods', label: 'Methods that count', kind: 'words', usual: 'GET POST' },
  ],
};
