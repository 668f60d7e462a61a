import { denialMessage } from '../../iam/access';
import { matchesWildcard } from '../../iam/wildcard';
import { type AwsCall, type AwsService, awsError, awsJson, type Permission } from '../aws-call';
import type { ExternalResources } from '../external-resources';
import { type KnownCall, knownCalls } from './known-calls';

interface ActionDeps {
  /** The folder with what actions of AWS take. */
  folder: string;
  external: ExternalResources;
  aws: { accountId: string };
}

/**
 * What targets of type `aws` call. Nothing is done: a call is listed at `/_local/elsewhere`, and answered
 * with an empty success. Such calls come under a session with a policy, and no others do.
 *
 * IAM derives from a call which ARN it is about. Here it is one of those that the session may use, if a text
 * of the call is its name.
 */
export function actions({ folder, external, aws }: ActionDeps): AwsService {
  const known = knownCalls(folder);
  return {
    targetPrefix: '',
    takes: ({ policy }) => policy !== undefined,
    async call(call) {
      const found = known(call);
      if (!found) return awsError(501, 'NotImplementedException', 'The catalogue of actions lacks this call');
      external.record(found.action, { action: found.action, region: found.region, input: found.input });
      return awsJson({});
    },
    permissions(call) {
      const found = known(call);
      if (!found) return [];
      return [
        ...found.needs.map((action) => ({ action, resource: resourceOf(found, action, call, aws) })),
        ...passedRoles(found),
      ];
    },
    denied: (denial) => awsError(403, 'AccessDeniedException', denialMessage(denial)),
    async stop() {},
  };
}

const ROLE = /^arn:aws:iam::\d{12}:role\//;
const passedRoles = ({ texts }: KnownCall): Permission[] =>
  texts.filter((text) => ROLE.test(text)).map((resource) => ({ action: 'iam:PassRole', resource }));

function resourceOf(
  { texts, region }: KnownCall,
  action: string,
  { caller }: AwsCall,
  { accountId }: { accountId: string },
): string {
  const patterns = (caller.policy ?? [])
    .filter(({ actions: allowed }) => allowed.includes(action))
    .flatMap(({ resources }) => resources);
  for (const pattern of patterns)
    for (const text of texts) {
      if (text.startsWith('arn:') && matchesWildcard(pattern, text)) return text;
      const [start, name] = splitName(pattern);
      if (name !== '' && matchesWildcard(name, nameIn(text))) return start + nameIn(text);
    }
  if (patterns.includes('*')) return '*';
  return `arn:aws:${action.split(':')[0]}:${region}:${accountId}:${texts[0] ?? '*'}`;
}

/** An ARN before its last name, and that. */
function splitName(pattern: string): [start: string, name: string] {
  const at = Math.max(pattern.lastIndexOf('/'), pattern.lastIndexOf(':')) + 1;
  return [pattern.slice(0, at), pattern.slice(at)];
}

/** The name in the URL of a queue. */
const nameIn = (text: string): string => (/^https?:/.test(text) ? (text.split('/').at(-1) ?? '') : text);
