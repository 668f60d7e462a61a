import type { AwsSite } from '../../../scripts/accept/site/site';
import { AWS_SIZES } from '../../../scripts/accept/site/sizes';

export const START_MS = Date.parse('2026-11-22T10:00:00.000Z');

/** A site in AWS whose clock moves only while something sleeps. Everything else is in `overrides`. */
export function anAwsSite(overrides: Partial<AwsSite>): AwsSite {
  let nowMs = START_MS;
  const made = new Map<string, Promise<unknown>>();
  const unexpected = (what: string) => () => Promise.reject(new Error(`${what} is not part of this test`));
  return {
    memorySizes: [],
    ...{ kind: 'aws', stage: 'dev', stackName: 'Quarterjack-dev', url: 'https://api.test', env: {} },
    ...{ sizes: AWS_SIZES, token: undefined, idToken: undefined, startMs: START_MS, run: 'abc123' },
    nowMs: () => nowMs,
    sleep: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
    once<T>(name: string, make: () => Promise<T>) {
      const one = made.get(name) ?? make();
      made.set(name, one);
      return one as Promise<T>;
    },
    atEnd: () => undefined,
    api: unexpected('the API'),
    receiver: unexpected('the receiver'),
    scratchQueue: unexpected('the scratch queue'),
    endEvents: unexpected('the bus'),
    metricNames: unexpected('metrics'),
    errorLines: unexpected('logs'),
    exec: unexpected('a program'),
    template: () => ({ Resources: {} }),
    clients: {} as AwsSite['clients'],
    ...overrides,
  };
}
