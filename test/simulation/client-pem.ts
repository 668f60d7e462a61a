import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The certificate and the key that targets of the simulation are called with. It is read here because
 * `main.mjs` bundles all files into one of this folder.
 */
export const CLIENT_PEM = readFileSync(join(__dirname, '../fixtures/tls/client.pem'), 'utf8');
