import {
  isSignedHost,
  SIGNED_SERVICES,
  type SignedService,
} from '../../../../lambdas/core/contracts/target-resources';

const REGION = 'eu-central-1';
const HOSTS: Record<SignedService, string[]> = {
  'execute-api': [
    'abc123.execute-api.eu-central-1.amazonaws.com',
    'a.execute-api.eu-central-1.amazonaws.com.cn',
  ],
  lambda: ['abcdef.lambda-url.eu-central-1.on.aws'],
  'vpc-lattice-svcs': ['orders-0abc.7d67968.vpc-lattice-svcs.eu-central-1.on.aws'],
  es: ['search-logs-x.eu-central-1.es.amazonaws.com', 'search-logs-x.aos.eu-central-1.on.aws'],
  aoss: ['abc.eu-central-1.aoss.amazonaws.com', 'abc.aoss.eu-central-1.on.aws'],
  appsync: ['abc.appsync-api.eu-central-1.amazonaws.com'],
};

test.each(SIGNED_SERVICES)('a signature for %s goes to hosts of it in its region alone', (service) => {
  const goesTo = (host: string, region = REGION) => isSignedHost(host, { service, region }, []);
  for (const host of HOSTS[service]) {
    expect([host, goesTo(host)]).toEqual([host, true]);
    const [elsewhere] = [host.replace(REGION, 'us-east-1')];
    expect([elsewhere, goesTo(elsewhere)]).toEqual([elsewhere, false]);
    const near = host.replace(/\.(amazonaws|on)\./, 'x.$1.');
    for (const stranger of [`${host}.evil.example`, `${host}x`, near])
      expect([stranger, goesTo(stranger)]).toEqual([stranger, false]);
  }
  const others = SIGNED_SERVICES.filter((one) => one !== service).flatMap((one) => HOSTS[one]);
  for (const other of [...others, 'sts.eu-central-1.amazonaws.com', 'iam.amazonaws.com', 'example.com'])
    expect([other, goesTo(other)]).toEqual([other, false]);
});

test('a domain of the operator has to be named, and is for its service', () => {
  const calls = [{ service: 'execute-api', resources: [], hosts: ['api.shop.example'] }] as const;
  const of = (host: string) => isSignedHost(host, { service: 'execute-api', region: REGION }, calls);
  expect([of('api.shop.example'), of('x.api.shop.example'), of('shop.example')]).toEqual([
    true,
    false,
    false,
  ]);
});
