import type { JobWithEtag, PingKey } from '../../../client/browser';
import { usePingKey } from '../../api/jobs';
import { useCan } from '../../api/project';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Loaded } from '../../parts/states';
import type { Target } from '../../parts/target-text';

interface MonitorCardProps {
  job: JobWithEtag;
  target: Extract<Target, { type: 'monitor' }>;
}

/** Nothing is called: by when a ping has to come, and where to. The URLs are for who may change jobs. */
export function MonitorCard({ job: { jobId, timeout }, target: { pingWithin } }: MonitorCardProps) {
  const mayWrite = useCan()('jobs:write');
  const key = usePingKey(jobId, mayWrite);
  const facts = (found?: PingKey) => (
    <dl class="facts">
      <dt>Pings within</dt>
      <dd>{pingWithin}</dd>
      <dt>Time limit</dt>
      <dd>{timeout}</dd>
      {found &&
        textsOf(jobId, found).map(
          ([name, what, text]) =>
            text && (
              <>
                <dt>{name}</dt>
                <dd>
                  <span class="mono">{text}</span> <CopyButton text={() => text}>{what}</CopyButton>
                </dd>
              </>
            ),
        )}
    </dl>
  );
  return (
    <Card part="monitor" title="Monitor">
      {mayWrite ? (
        <Loaded query={key} height={240}>
          {facts}
        </Loaded>
      ) : (
        facts()
      )}
    </Card>
  );
}

/** Characters of a badge's label. */
const MAX_LABEL = 40;

const textsOf = (jobId: string, { url, slugUrl, badgeUrl }: PingKey) =>
  [
    ['Ping URL', 'Copy URL', url],
    ['Slug URL', 'Copy slug URL', slugUrl],
    ['Badge', 'Copy Markdown', `![${jobId}](${badgeUrl}?label=${jobId.slice(0, MAX_LABEL)})`],
  ] as const;
