import * as z from 'zod';

export const HealthView = z.strictObject({ status: z.literal('pass') }).meta({ id: 'Health' });

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
