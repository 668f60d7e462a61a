import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { AwsCall } from '../aws-call';

/** A file of the catalogue of actions, as far as it tells calls apart. */
interface ServiceFile {
  protocol: string;
  signedAs: string;
  target?: string;
  version?: string;
  actions: Record<string, { needs: string[]; traits?: { http?: [method: string, path: string] } }>;
}

/** A call that the catalogue knows. */
export interface KnownCall {
  /** `kinesis:PutRecord`. */
  action: string;
  /** The actions of IAM that it needs. */
  needs: readonly string[];
  region: string;
  /** What it gives, by names where the protocol has them. */
  input: unknown;
  /** All texts of it. */
  texts: readonly string[];
}

type Sent = Pick<AwsCall, 'method' | 'path' | 'query' | 'headers' | 'body'>;

const SCOPE = /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\/aws4_request/;

/** Which action a request is, by the service in its signature; undefined for what the catalogue lacks. */
export function knownCalls(folder: string): (call: Sent) => KnownCall | undefined {
  const services = readdirSync(folder).map((file) => ({
    name: file.replace('.json', ''),
    file: JSON.parse(readFileSync(join(folder, file), 'utf8')) as ServiceFile,
  }));
  return (call) => {
    const [, region = '', signedAs = ''] = SCOPE.exec(String(call.headers.authorization)) ?? [];
    for (const { name, file } of services) {
      if (file.signedAs !== signedAs) continue;
      const operation = operationIn(file, call);
      if (operation === undefined) continue;
      const input = inputOf(file, call);
      const { needs } = file.actions[operation]!;
      return { action: `${name}:${operation}`, needs, region, input, texts: textsIn([input, segmentsOf(call)]) };
    }
    return undefined;
  };
}

const isForm = ({ protocol }: ServiceFile): boolean => protocol === 'query' || protocol === 'ec2';

function operationIn(file: ServiceFile, { method, path, headers, body }: Sent): string | undefined {
  const named = (name: string | null | undefined) =>
    name && Object.hasOwn(file.actions, name) ? name : undefined;
  if (file.protocol.startsWith('json')) {
    const [target, name] = String(headers['x-amz-target']).split('.');
    return target === file.target ? named(name) : undefined;
  }
  if (isForm(file)) {
    const form = new URLSearchParams(body);
    return form.get('Version') === file.version ? named(form.get('Action')) : undefined;
  }
  return Object.entries(file.actions).find(([, { traits }]) => {
    const [of, template = ''] = traits?.http ?? [];
    return of === method && patternOf(template).test(path);
  })?.[0];
}

/** `{name}` is one part of a path, and `{name+}` any number of them. */
const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .replace(/\?.*$/, '')
      .replaceAll(/[.$^*()[\]|\\]/g, '\\$&')
      .replaceAll(/\{\w+\+\}/g, '.+')
      .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  );

function inputOf(file: ServiceFile, { query, body }: Sent): unknown {
  if (isForm(file)) return Object.fromEntries(new URLSearchParams(body));
  const given = query && [...query.keys()].length > 0 ? { query: Object.fromEntries(query) } : {};
  const content = jsonOr(body);
  return file.protocol === 'rest-json' ? { ...given, ...(body !== '' && { body: content }) } : content;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a member with bytes of its own
  }
}

const segmentsOf = ({ path }: Sent): string[] => path.split('/').filter(Boolean).map(decodeURIComponent);

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
