import type { JobSummary } from '../../../client/browser';
import { useCan } from '../../api/project';
import { useWorkflows } from '../../api/workflows';
import { paths } from '../../app/address';
import { Go, useGo } from '../../app/go';
import { MiniHistory } from '../../draw/history';
import { Card, Tags, Title } from '../../parts/card';
import { Instant, Relative } from '../../parts/instant';
import { useRowKeys } from '../../parts/row-keys';
import { Empty, Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { Headings } from '../../parts/table';
import { useWindowed } from '../../parts/windowed';
import { useWords } from '../../planning/words';
import { plural } from '../../time/format';

const ROW_PX = 48;

/** Jobs whose executions are runs of tasks that depend on tasks. */
export default function Workflows() {
  const workflows = useWorkflows();
  const { data } = workflows;
  const can = useCan();
  return (
    <>
      <Title
        sub={data ? `${plural(data.items.length, 'workflow')}${data.hasMore ? ' and more' : ''}` : ' '}
        actions={
          can('jobs:write') && (
            <Go to="/jobs/~new?kind=workflow" class="btn first">
              New workflow
            </Go>
          )
        }
      >
        Workflows
      </Title>
      <Card part="workflows" flush>
        <Loaded query={workflows} height={420}>
          {({ items }) => (items.length === 0 ? <NoWorkflows /> : <Table items={items} />)}
        </Loaded>
      </Card>
    </>
  );
}

const NoWorkflows = () => (
  <Empty title="There are no workflows yet.">
    <p>
      A job with tasks in place of a target is a workflow. Each of its executions is a run. New workflow has
      an example to begin with.
    </p>
  </Empty>
);

function Table({ items }: { items: readonly JobSummary[] }) {
  const go = useGo();
  const words = useWords();
  const { body, from, to } = useWindowed(items.length, ROW_PX);
  const here = useRowKeys(items.length, { open: (index) => go(paths.workflow(items[index]!.jobId)) });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of workflows">
      <table class="workflows" aria-rowcount={items.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <Headings of={['Workflow', 'Status', 'Schedule', 'Next', 'Last 20 runs', 'Last']} />
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap rows={from} />
          {items.slice(from, to).map((one, offset) => (
            <Row
              key={one.jobId}
              job={one}
              words={words(one.schedule)}
              index={from + offset}
              isHere={here === from + offset}
            />
          ))}
          <Gap rows={items.length - to} />
        </tbody>
      </table>
    </div>
  );
}

const Gap = ({ rows }: { rows: number }) =>
  rows > 0 ? (
    <tr class="undrawn" aria-hidden="true" style={{ height: `${rows * ROW_PX}px` }}>
      <td colSpan={6} />
    </tr>
  ) : null;

interface RowProps {
  job: JobSummary;
  words: string;
  index: number;
  isHere: boolean;
}

const Row = ({ job, words, index, isHere }: RowProps) => (
  <tr aria-rowindex={index + 2} class={isHere ? 'here' : undefined}>
    <td class="two">
      <Go to={paths.workflow(job.jobId)} class="job cut">
        {job.jobId}
      </Go>
      <small class="cut">
        {job.name} <Tags tags={job.tags} />
      </small>
    </td>
    <td>
      <Mark status={job.status} />
    </td>
    <td>
      <span class="cut" title={words}>
        {words}
      </span>
    </td>
    <td>{job.nextFireAt ? <Instant at={job.nextFireAt} show="recent" /> : <span class="quiet">–</span>}</td>
    <td>
      <MiniHistory statuses={(job.history ?? []).map(({ status }) => status).reverse()} />
    </td>
    <td class="two">
      {job.lastExecution && (
        <>
          <Go to={paths.execution(job.jobId, job.lastExecution.execId)}>
            <Mark status={job.lastExecution.status} />
          </Go>
          <small>
            <Relative at={job.lastExecution.finishedAt ?? job.lastExecution.dueAt} />
          </small>
        </>
      )}
    </td>
  </tr>
);
