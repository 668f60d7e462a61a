import http from 'node:http';
import https from 'node:https';
import { createSecureContext } from 'node:tls';

import type { Variant } from './variants';

/** A server that answers at once, twice: by http and by https with a certificate of `ca`. */
export interface TargetUrls {
  http: string;
  https: string;
  ca: string;
}

/** As long as a small delivery. */
const BODY = JSON.stringify({ payload: 'p'.repeat(200) });

/**
 * A call of a target, by what it shares with earlier calls. The executor resumes TLS sessions, and keeps no
 * connection. The other variants say what that costs and saves.
 */
export function targetVariantsAt(urls: TargetUrls): Variant[] {
  const secureContext = createSecureContext({ ca: urls.ca });
  const variant = (name: string, url: string, agent: http.Agent): Variant => ({
    name,
    writes: 1,
    once: () => call(url, agent),
  });
  return [
    variant('target by http, its own connection', urls.http, new http.Agent()),
    variant('target by http, kept connection', urls.http, new http.Agent({ keepAlive: true })),
    variant(
      'target by https, its own connection',
      urls.https,
      new https.Agent({ secureContext, maxCachedSessions: 0 }),
    ),
    variant('– and a TLS session that is resumed', urls.https, new https.Agent({ secureContext })),
    variant(
      'target by https, kept connection',
      urls.https,
      new https.Agent({ secureContext, keepAlive: true }),
    ),
  ];
}

const call = (url: string, agent: http.Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http;
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(BODY);
  });
