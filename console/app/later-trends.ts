import { later } from './page';

/** Trends are below what a page is about: their file comes after it. */
export const Trends = later(async () => (await import('../parts/trends')).default, 380);
