import { useState } from 'preact/hooks';

import type { Workflow } from '../../client/browser';
import { Graph } from '../draw/graph';
import { Card } from '../parts/card';
import { boxesOfWorkflow, graphProblem } from './workflow-boxes';

/** The graph of a workflow while it is edited. */
export function WorkflowPreview({ workflow }: { workflow: Workflow | null | undefined }) {
  const [chosen, setChosen] = useState<string>();
  if (!workflow) return null;
  const problem = graphProblem(workflow);
  return (
    <Card part="workflow-preview" title="Graph">
      {problem ? (
        <p class="late" role="status">
          {problem}
        </p>
      ) : (
        <Graph boxes={boxesOfWorkflow(workflow)} chosen={chosen} onChoose={setChosen} />
      )}
    </Card>
  );
}
