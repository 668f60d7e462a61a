import { join, resolve } from 'node:path';

/** Root of the checkout that contains this file. */
export const CHECKOUT_DIR = resolve(__dirname, '../..');

/** Everything that local runs keep in the checkout. Ignored by git. */
const STATE_DIR = join(CHECKOUT_DIR, '.quarterjack');

export const DEFAULT_DATA_DIR = join(STATE_DIR, 'data');
export const ISSUER_DIR = join(STATE_DIR, 'issuer');
export const CACHE_DIR = join(STATE_DIR, 'cache');
export const RUNS_DIR = join(STATE_DIR, 'runs');
