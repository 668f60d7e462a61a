import type { Me } from '../../../client/browser';
import { useMe } from '../../api/project';
import { Card, Tag } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Loaded } from '../../parts/states';
import { bytes, count } from '../../time/format';

/** Who is signed in, what the caller may do, and the bounds of the project. */
export function ProjectCards() {
  const me = useMe();
  return (
    <Loaded query={me} height={300}>
      {(found) => (
        <div class="card-grid">
          <MeCard me={found} />
          <ProjectCard me={found} />
          <TokenCard />
        </div>
      )}
    </Loaded>
  );
}

const MeCard = ({ me: { by, role, scopes, projects } }: { me: Me }) => (
  <Card part="me" title="You">
    <dl class="facts">
      <dt>Name</dt>
      <dd>{by.name ?? by.sub}</dd>
      <dt>Subject</dt>
      <dd class="mono">{by.sub}</dd>
      <dt>Role</dt>
      <dd>{role ?? 'none'}</dd>
      <dt>May</dt>
      <dd>{scopes.join(', ') || 'nothing'}</dd>
      <dt>Projects</dt>
      <dd>
        {projects.map((one) => (
          <Tag key={one.name} name={one.name} value={one.role} />
        ))}
      </dd>
    </dl>
  </Card>
);

const ProjectCard = ({
  me: { project, quotas, retentionDays, targetPolicy, pools, stage, version, region },
}: {
  me: Me;
}) => (
  <Card part="project" title="Project">
    <dl class="facts">
      <dt>Name</dt>
      <dd class="mono">{project ?? 'none'}</dd>
      <dt>Deployment</dt>
      <dd>
        {stage} in {region}, version {version}
      </dd>
      <dt>History</dt>
      <dd>{retentionDays} days</dd>
      <dt>Targets</dt>
      <dd>
        {targetPolicy === 'public' ? 'https to public addresses' : 'also this machine, for a local run'}
      </dd>
      <dt>Pools</dt>
      <dd>{pools.join(', ')}</dd>
      <dt>Quotas</dt>
      <dd>
        {count(quotas.jobs)} jobs, {count(quotas.firesPerMinute)} fires a minute, {bytes(quotas.payloadBytes)}{' '}
        of payloads
      </dd>
    </dl>
  </Card>
);

const TokenCard = () => (
  <Card part="token" title="A token for programs">
    <div class="spaced">
      <p>On the command line, sign in once:</p>
      <pre class="code">{cliLine()}</pre>
      <p class="acts">
        <CopyButton text={cliLine}>Copy</CopyButton>
      </p>
      <p class="second">Programs without a person use an API key.</p>
    </div>
  </Card>
);

const cliLine = (): string => `npx @quarterjack/cli login --url ${location.origin}`;
