import { signal } from '@preact/signals';

/** The page of the navigation to which the present one belongs, if its address does not say so. */
export const place = signal<string | undefined>(undefined);
