import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Source } from './services';

const root = join(__dirname, '../..');
const requireOwn = createRequire(join(__dirname, 'package.json'));
const requireRoot = createRequire(join(root, 'package.json'));

/** A schema as a client has it: an array, a number, or a function that returns one. */
export type Schema = readonly unknown[] | number | 'unit' | (() => Schema);

interface SdkClient {
  config: {
    protocol: { serviceTarget?: string; awsQueryCompatible?: boolean; options: { version?: string } };
    endpointProvider(given: object): { url: URL };
    serviceId: string;
    httpAuthSchemeProvider(given: object): { signingProperties?: { name?: string } }[];
  };
  send(command: object): Promise<unknown>;
}

export interface Client {
  make(config: object): SdkClient;
  operations: readonly string[];
  schemaOf(operation: string): readonly unknown[];
  command(operation: string, input: object): object;
}

/** A client that this package or the project has installed. */
export function readClient({ client }: Pick<Source, 'client'>): Client {
  const name = `@aws-sdk/client-${client}`;
  const module = load(name);
  const [className] = Object.keys(module).filter((key) => /[^_]Client$/.test(key) && 'prototype' in of(key));
  function of(key: string) {
    return module[key] as { prototype?: { send?: unknown }; new (given: object): never };
  }
  return {
    make: (config) => new (of(className!))(config) as SdkClient,
    operations: Object.keys(module).flatMap((key) => {
      const operation = /^(\w+)Command$/.exec(key)?.[1];
      return operation && `${operation}$` in module ? [operation] : [];
    }),
    schemaOf: (operation) => module[`${operation}$`] as readonly unknown[],
    command: (operation, input) => new (of(`${operation}Command`))(input) as object,
  };
}

function load(name: string): Record<string, unknown> {
  const found = [requireRoot, requireOwn].find((one) => {
    try {
      return one.resolve(name);
    } catch {
      return undefined; // the other one may have it
    }
  });
  if (!found) throw new Error(`${name} is not installed: npm ci --prefix scripts/aws-actions`);
  return found(name) as Record<string, unknown>;
}
