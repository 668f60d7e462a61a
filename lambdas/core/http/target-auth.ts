import * as z from 'zod/mini';

import { hasMalformedReference, secretNameIn } from '../domain/secret-reference';
import type { TargetAuth } from '../domain/target';
import { described, singleLine, textUpTo } from './fields';
import { headerName } from './header-rules';

const REFERENCE = '^\\{\\{[ \\t]*secrets\\.[A-Za-z_][A-Za-z0-9_-]{0,63}[ \\t]*\\}\\}$';

/** One reference and nothing else. The error never repeats the value: it may be the secret itself. */
const reference = () =>
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

const TYPES = {
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
} satisfies { [Type in TargetAuth['type']]: z.ZodMiniType<{ type: Type }> };

export const AuthFields = described(
  z.discriminatedUnion('type', [TYPES.bearer, TYPES.basic, TYPES.header, TYPES.oauth2], {
    error: ({ code }) =>
      code === 'invalid_union' ? 'must be "bearer", "basic", "header" or "oauth2"' : undefined,
  }),
  { id: 'TargetAuth', description: 'How the target knows that a call is allowed. Values are secrets.' },
);

interface WithAuth {
  url: string;
  headers: Record<string, string>;
  auth?: TargetAuth | undefined;
}

/** The rules that need several fields of a target. */
export const FITS_AUTH = z.superRefine<WithAuth>(({ url, headers, auth }, context) => {
  const reject = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message });
  for (const [name, value] of Object.entries(headers))
    if (hasMalformedReference(value)) reject(EXACT, 'headers', name);
  const faultOfUrl = urlFault(url);
  if (faultOfUrl) reject(faultOfUrl, 'url');
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
