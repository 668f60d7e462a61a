import type { JobDefinition } from '../../client/browser';

type TextOf = (jobId: string, definition: JobDefinition, origin: string) => string;

const json = (definition: object): string => JSON.stringify(definition, null, 2);

const curl: TextOf = (jobId, definition, origin) =>
  `curl -sS -X PUT ${origin}/v1/jobs/${jobId} -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '${JSON.stringify(definition).replaceAll("'", "'\\''")}'`;

/** No line of JSON is the word that ends the text. */
const command: TextOf = (jobId, definition) =>
  `npx @quarterjack/cli jobs create ${jobId} --file - <<'END'\n${json(definition)}\nEND`;

const cdk: TextOf = (jobId, definition) =>
  `new ScheduledJob(this, '${jobId}', { quarterjack, jobId: '${jobId}', job: ${json(definition)} });`;

/** The ways to take a definition elsewhere. */
export const COPIES: readonly (readonly [name: string, textOf: TextOf])[] = [
  ['JSON', (_, definition) => json(definition)],
  ['curl', curl],
  ['command', command],
  ['CDK', cdk],
];
