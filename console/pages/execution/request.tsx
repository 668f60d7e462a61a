import type { Execution, JobWithEtag } from '../../../client/browser';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copy';

interface RequestProps {
  execution: Execution;
  job: JobWithEtag | null | undefined;
}

/** The request, from the definition that the job has now. Its signature cannot be made again. */
export function Request({ execution, job }: RequestProps) {
  if (!job) return null;
  const targets = job.targets ?? (job.target ? [job.target] : []);
  const target = targets.find((one) => one.type === 'http');
  if (!target) return <Payload payload={job.payload} />;
  const { method, url } = target;
  const headers = headersOf(execution, target.headers);
  const hasBody = method !== 'GET' && job.payload !== undefined;
  const body = hasBody ? JSON.stringify(job.payload, null, 2) : '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Card
      part="request"
      title="Request"
      more={<CopyButton text={() => curlOf(method, url, headers, body)}>as curl</CopyButton>}
    >
      <pre class="code">{[`${method} ${url}`, ...lines, '', body].join('\n').trimEnd()}</pre>
      <p class="quiet">From the definition of now, without its signature.</p>
    </Card>
  );
}

/** What a target without HTTP gets: a worker, or a service of AWS. */
const Payload = ({ payload }: { payload: unknown }) =>
  payload === undefined ? null : (
    <Card part="request" title="Payload">
      <pre class="code">{JSON.stringify(payload, null, 2)}</pre>
      <p class="quiet">From the definition of now.</p>
    </Card>
  );

function headersOf(execution: Execution, own: Readonly<Record<string, string>>): Record<string, string> {
  const last = execution.attempts.at(-1);
  return {
    ...own,
    'content-type': 'application/json',
    'quarterjack-job': execution.jobId,
    'quarterjack-execution': execution.execId,
    ...(last && { 'quarterjack-attempt': String(last.attempt), 'quarterjack-fence': String(last.fence) }),
    'quarterjack-due': execution.dueAt,
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const curlOf = (method: string, url: string, headers: Record<string, string>, body: string): string =>
  [
    `curl -sS -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(body)}`] : []),
  ].join(' \\\n  ');
