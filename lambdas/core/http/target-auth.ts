import * as z from 'zod/mini';

import { SIGNED_SERVICES } from '../contracts/target-resources';
import { hasMalformedReference, secretNameIn } from '../domain/secret-reference';
import type { ClientTls, TargetAuth } from '../domain/target';
import { faultOfHeaderName } from '../domain/target-limits';
import { regionText } from './action-target';
import { described, singleLine, textUpTo } from './fields';

// How an HTTP target knows its caller, and the caller its target.

/** The name of one header. */
const headerName = z.string().check(
  z.superRefine((name, context) => {
    const fault = faultOfHeaderName(name);
    if (fault) context.addIssue(fault);
  }),
);

const REFERENCE = '^\\{\\{[ \\t]*secrets\\.[A-Za-z_][A-Za-z0-9_-]{0,63}[ \\t]*\\}\\}$';

/** One reference and nothing else. The error never repeats the value: it may be the secret itself. */
export const reference = () =>
  described(
    z
      .string()
      .check(
        z.refine(
          (text) => secretNameIn(text) !== undefined,
          'must be one reference, "{{ secrets.NAME }}", and nothing else: a literal is not accepted',
        ),
      ),
    { pattern: REFERENCE, examples: ['{{ secrets.crm }}'] },
  );

const AUTH_TYPES = {
  bearer: z.strictObject({ type: z.literal('bearer'), token: reference() }),
  basic: z.strictObject({ type: z.literal('basic'), username: reference(), password: reference() }),
  header: z.strictObject({ type: z.literal('header'), name: headerName, value: reference() }),
  oauth2: z.strictObject({
    type: z.literal('oauth2'),
    /** `delivery/secrets/check-uses.ts` checks it by the rules of the deployment. */
    tokenUrl: textUpTo(2_048),
    clientId: reference(),
    clientSecret: reference(),
    scope: z.optional(singleLine(1, 1_024)),
    audience: z.optional(singleLine(1, 1_024)),
    clientAuth: z._default(z.enum(['basic', 'post']), 'basic'),
  }),
  aws: z.strictObject({
    type: z.literal('aws'),
    service: z.enum(SIGNED_SERVICES),
    region: regionText(),
  }),
} satisfies { [Type in TargetAuth['type']]: z.ZodMiniType<{ type: Type }> };

export const AuthFields = described(
  z.discriminatedUnion(
    'type',
    [AUTH_TYPES.bearer, AUTH_TYPES.basic, AUTH_TYPES.header, AUTH_TYPES.oauth2, AUTH_TYPES.aws],
    {
      error: ({ code }) =>
        code === 'invalid_union' ? 'must be "bearer", "basic", "header", "oauth2" or "aws"' : undefined,
    },
  ),
  { id: 'TargetAuth', description: 'How the target knows that a call is allowed. Values are secrets.' },
);

/** What the client proves itself with in the handshake, and whom it trusts. */
export const TlsFields = described(
  z
    .strictObject({
      certificate: z.optional(reference()),
      key: z.optional(reference()),
      ca: z.optional(reference()),
    })
    .check(
      z.superRefine(({ certificate, key, ca }, context) => {
        const reject = (path: string[], message: string) =>
          context.addIssue({ code: 'custom', path, message });
        if (certificate === undefined && key !== undefined)
          reject(['certificate'], 'is needed: "certificate" and "key" stand together');
        if (certificate !== undefined && key === undefined)
          reject(['key'], 'is needed: "certificate" and "key" stand together');
        if (certificate === undefined && key === undefined && ca === undefined)
          reject([], 'must have "certificate" and "key", or "ca", or all three');
      }),
    ),
  { id: 'TargetTls', description: 'The client certificate, and `ca` in place of the public roots.' },
);

interface WithAuth {
  url: string;
  headers: Record<string, string>;
  auth?: TargetAuth | undefined;
  tls?: ClientTls | undefined;
}

/** The rules that need several fields of a target. */
export const FITS_AUTH = z.superRefine<WithAuth>(({ url, headers, auth, tls }, context) => {
  const reject = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message });
  for (const [name, value] of Object.entries(headers))
    if (hasMalformedReference(value)) reject(EXACT, 'headers', name);
  const faultOfUrl = urlFault(url);
  if (faultOfUrl) reject(faultOfUrl, 'url');
  if (tls && /^http:/i.test(url)) reject('needs a url that starts with https://', 'tls');
  if (!auth) return;
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  if (given.has('authorization')) reject('must not stand beside a header "Authorization"', 'auth');
  else if (auth.type === 'header' && given.has(auth.name.toLowerCase()))
    reject('must not also be one of the headers', 'auth', 'name');
});

const EXACT = 'must name a secret as {{ secrets.NAME }}, without a filter';

/** Secrets may stand in query values, or as the whole URL. */
function urlFault(url: string): string | undefined {
  if (secretNameIn(url) !== undefined) return undefined;
  if (hasMalformedReference(url)) return EXACT;
  const outside = url.replace(/\?[^#]*/, (query) =>
    query
      .slice(1)
      .split('&')
      .map((pair) => pair.replace(/=.*$/s, ''))
      .join('&'),
  );
  return outside.includes('{{') && /\{\{\s*secrets/.test(outside)
    ? 'must name secrets in query values only, or be one reference as a whole'
    : undefined;
}
