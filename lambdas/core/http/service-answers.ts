import * as z from 'zod';

export const HealthView = z.strictObject({ status: z.literal('pass') }).meta({ id: 'Health' });

export const ApiVersionView = z
  .strictObject({
    version: z.string().meta({ description: 'Version of Quarterjack.' }),
    api: z.literal('v1').meta({ description: 'Version of the API: the first part of its paths.' }),
    features: z
      .array(z.string())
      .meta({ description: 'What a client may ask for by name. A name stays as long as this `api`.' }),
  })
  .meta({ id: 'ApiVersion' });
export type ApiVersionView = z.output<typeof ApiVersionView>;

export const ProblemKindView = z
  .strictObject({
    kind: z.string(),
    title: z.string(),
    status: z.int(),
    meaning: z.string(),
    advice: z.string().meta({ description: 'What the client can do.' }),
  })
  .meta({ id: 'ProblemKind', description: 'What the `type` of a problem means.' });
export type ProblemKindView = z.output<typeof ProblemKindView>;

const endpoint = (what: string) =>
  z.string().meta({ description: `${what}: a URL, or a path at the origin of the API.` });

export const SignInView = z
  .strictObject({
    issuer: z.string().meta({ description: 'Issuer of the tokens, their claim `iss`.' }),
    authorizationEndpoint: endpoint('Where the user signs in'),
    tokenEndpoint: endpoint('Where a code is exchanged for tokens'),
    clientId: z.string().meta({ description: 'A public client: it has no secret.' }),
    scopes: z.array(z.string()).meta({ description: 'The scopes to ask for.' }),
    callbackUrls: z
      .array(z.string())
      .meta({ description: 'Where the sign-in page may send the user back to.' }),
    version: z.string().meta({ description: 'Version of Quarterjack.' }),
  })
  .meta({ id: 'SignIn' });

/** The body of a request that API Gateway rejects itself. */
export const GatewayMessage = z.object({ message: z.string() }).meta({
  id: 'GatewayMessage',
  description:
    'The body of a request that API Gateway rejects itself: no valid token, throttled, or over 10 MB.',
});
