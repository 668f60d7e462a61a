import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { parseFlags } from '../../../../local/run/flags';

const root = join(__dirname, '../../../..');
const compose = join(root, 'examples/compose');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

interface Service {
  build?: string;
  command: string[];
  ports?: string[];
  volumes: string[];
}
const { services } = parse(readFileSync(join(compose, 'compose.yaml'), 'utf8')) as {
  services: Record<'quarterjack' | 'app', Service>;
};
const flagsOf = (command: readonly string[]) => command.slice(command.indexOf('--') + 1);

test('the image copies what exists, runs as no root, and starts with flags that exist', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?:--\S+ )*(.+) \S+$/gm)].flatMap(([, from]) =>
    from!.split(' '),
  );
  expect(copied.length).toBeGreaterThan(0);
  for (const path of copied) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  expect(dockerfile).toMatch(/^USER node$/m);
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[];
  expect(parseFlags(flagsOf(command))).toMatchObject({ host: '0.0.0.0', port: 8_787 });
});

test('the image has the newest version of Node.js that functions run on', () => {
  const nvmrc = readFileSync(join(root, '.nvmrc'), 'utf8').trim();
  expect(dockerfile).toContain(`FROM node:${nvmrc}-slim`);
});

test('the example is published on this machine alone, and reaches the app by its name', () => {
  const { build, command, ports } = services.quarterjack;
  expect(existsSync(join(compose, build!, 'Dockerfile'))).toBe(true);
  expect(ports).toEqual(['127.0.0.1:8787:8787']);
  expect(parseFlags(flagsOf(command))).toMatchObject({
    host: '0.0.0.0',
    privateHosts: ['app'],
    apiUrl: 'http://quarterjack:8787',
  });
  expect(existsSync(join(compose, services.app.volumes[0]!.split(':')[0]!, 'server.mjs'))).toBe(true);
});
