import { computed, signal } from '@preact/signals';

import { isZone } from '../time/format';
import { preferences } from './preferences';

export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** `tz` of the address. It wins over the preference, so that a link shows the same to all its readers. */
export const addressZone = signal<string | undefined>(undefined);
/** Time zone of the schedule on the page; undefined where there is none. */
export const scheduleZone = signal<string | undefined>(undefined);

/** What is chosen: `browser`, `UTC`, `schedule`, or an IANA name. */
export const zoneChoice = computed(() => addressZone.value ?? preferences.value.zone);

/** The IANA name that times are shown in. */
export const zone = computed(() => {
  const choice = zoneChoice.value;
  if (choice === 'browser') return BROWSER_ZONE;
  if (choice === 'schedule') return scheduleZone.value ?? BROWSER_ZONE;
  return isZone(choice) ? choice : BROWSER_ZONE;
});

/** The names that this browser knows. */
export const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');
