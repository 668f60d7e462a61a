import { trustLocalIssuer } from '../../../../local/issuer/trust-local-issuer';
import type { LocalStack } from '../../../../local/template/stack';

const ARN = 'arn:aws:lambda:eu-central-1:000000000000:function:authorizer';
const URL_OF_RUN = 'http://127.0.0.1:8787';

const stackOf = (issuer: string): LocalStack =>
  ({
    functions: [{ arn: ARN, environment: { ISSUER: issuer, AUDIENCE: '["client"]' } }],
    httpApi: { routes: [{ authorizer: { functionArn: ARN } }] },
  }) as unknown as LocalStack;

test.each([
  ['https://issuer.quarterjack.local', []],
  [
    'https://login.example.com',
    ['tokens of https://issuer.quarterjack.local replace those of https://login.example.com'],
  ],
])(
  'an authorizer of %s accepts tokens for all local runs and for this one, and no others',
  (issuer, lines) => {
    const out: string[] = [];
    const trust = {
      audience: URL_OF_RUN,
      jwksUri: `${URL_OF_RUN}/keys`,
      out: (line: string) => out.push(line),
    };
    const [authorizer] = trustLocalIssuer(stackOf(issuer), trust).functions;
    expect(authorizer?.environment).toEqual({
      ISSUER: 'https://issuer.quarterjack.local',
      AUDIENCE: JSON.stringify(['quarterjack', URL_OF_RUN]),
      JWKS_URI: `${URL_OF_RUN}/keys`,
    });
    expect(out).toEqual(lines);
  },
);
