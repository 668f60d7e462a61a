import { useState } from 'preact/hooks';

import { Graph } from '../draw/graph';
import { Card } from '../parts/card';
import { boxesOfWorkflow, drawable } from './workflow-boxes';

/** The graph of a workflow beside the JSON of its whole job. The API says on a save what is wrong with it. */
export function WorkflowPreview({ workflow }: { workflow: unknown }) {
  const [chosen, setChosen] = useState<string>();
  if (!workflow) return null;
  const drawn = drawable(workflow);
  return (
    <Card part="workflow-preview" title="Graph">
      {drawn ? (
        <Graph boxes={boxesOfWorkflow(drawn)} chosen={chosen} onChoose={setChosen} />
      ) : (
        <p class="late" role="status">
          There are no tasks that can be drawn.
        </p>
      )}
    </Card>
  );
}
