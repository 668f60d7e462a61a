import { isTerminal } from '../../../client/browser';
import { useExecution } from '../../api/executions';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { whyOrHow } from '../../parts/reason';
import { Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';

interface OneFirstProps {
  /** It has just been asked to run again. */
  first: { jobId: string; execId: string };
  /** What goes on: `Retry the others`. */
  others: string;
  onGoOn(): void;
  onClose(): void;
}

/** One execution of a cause, alone: the others wait for how it ends, and for the reader. */
export function OneFirst({ first: { jobId, execId }, others, onGoOn, onClose }: OneFirstProps) {
  const execution = useExecution(jobId, execId);
  const isOver = execution.data !== undefined && isTerminal(execution.data);
  return (
    <Dialog title="One first" part="one-first" onClose={onClose}>
      <Form onSubmit={onGoOn}>
        <Loaded query={execution} height={40}>
          {(one) => (
            <p role="status">
              <Go to={paths.execution(jobId, execId)}>{jobId}</Go> <Mark status={one.status} />{' '}
              {isOver && whyOrHow(one)}
            </p>
          )}
        </Loaded>
        <DialogActions submit={others} disabled={!isOver} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
