import { useQueryValues } from '../../app/go';
import { type Execution, isTerminal, type Job } from '../../../client/browser';
import { logsItself, targetsOf } from '../../editor/workflow-boxes';
import { Card, Segments } from '../../parts/card';
import { LogLines, ResponseLog } from '../../parts/log-lines';

interface LogCardProps {
  execution: Execution;
  job: Job | null | undefined;
}

/** The log of an execution. Workers and asynchronous targets write it; of others it has a long response. */
export function LogCard({ execution, job }: LogCardProps) {
  const { jobId, execId, attempts, detail, result, finishedAt } = execution;
  const { query, put } = useQueryValues();
  const numbers = [...new Set(attempts.map(({ attempt }) => attempt))];
  const asked = Number(query.get('attempt'));
  const attempt = numbers.includes(asked) ? asked : undefined;
  const card = (
    <Card
      part="log"
      title="Log"
      more={
        numbers.length > 1 && (
          <Segments
            label="Attempt"
            value={String(attempt ?? '')}
            options={[['', 'All'], ...numbers.map((one) => [String(one), one] as const)]}
            onChange={(one) => put({ attempt: one })}
          />
        )
      }
    >
      <LogLines of={{ jobId, execId, attempt }} isOpen={!isTerminal(execution)} />
    </Card>
  );
  if (detail?.queue !== undefined || (job && targetsOf(job).some(logsItself))) return card;
  return (
    <ResponseLog of={{ jobId, execId }} result={result} finishedAt={finishedAt}>
      {card}
    </ResponseLog>
  );
}
