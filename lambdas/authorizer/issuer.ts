import { lazy } from '../core/async/cached';
import { SECOND_MS } from '../core/clock/clock';
import type { FetchJson } from './fetch-json';

export interface IssuerSettings {
  issuer: string;
  /** URL of the key set. Undefined: the issuer's discovery document names it. */
  jwksUri: string | undefined;
}

/** What the authorizer reads of an issuer. Each rejects if the issuer does not answer in time. */
export interface Issuer {
  readKeySet(): Promise<Record<string, unknown>>;
  /** Undefined if the issuer has no userinfo endpoint, or its discovery document is not used. */
  userInfo(token: string): Promise<Record<string, unknown> | undefined>;
}

/** API Gateway waits ten seconds for its authorizer: both documents and the name fit into it. */
const DOCUMENT_TIMEOUT_MS = 3 * SECOND_MS;
const USER_INFO_TIMEOUT_MS = 2 * SECOND_MS;

/** An OpenID Connect issuer, over HTTPS. */
export function issuerOf({ issuer, jwksUri }: IssuerSettings, fetchJson: FetchJson): Issuer {
  const discovery = lazy(async () => {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await fetchJson(url, DOCUMENT_TIMEOUT_MS);
    if (document.issuer !== issuer) throw new Error(`${url} is the document of another issuer`);
    return document;
  });
  return {
    async readKeySet() {
      const url = jwksUri ?? httpsUrl(await discovery(), 'jwks_uri');
      if (url === undefined) throw new Error('the discovery document of the issuer names no jwks_uri');
      return fetchJson(url, DOCUMENT_TIMEOUT_MS);
    },
    async userInfo(token) {
      const url = jwksUri === undefined ? httpsUrl(await discovery(), 'userinfo_endpoint') : undefined;
      return url === undefined
        ? undefined
        : fetchJson(url, USER_INFO_TIMEOUT_MS, { authorization: `Bearer ${token}` });
    },
  };
}

function httpsUrl(document: Record<string, unknown>, name: string): string | undefined {
  const url = document[name];
  if (url === undefined) return undefined;
  if (typeof url !== 'string' || !url.startsWith('https://'))
    throw new Error(`${name} of the issuer is ${JSON.stringify(url)}; expected an https URL`);
  return url;
}
