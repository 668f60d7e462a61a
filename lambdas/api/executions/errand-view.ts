import { instantText } from '../../core/clock/clock';
import { errandNameOf } from '../../core/delivery/errands/errand-name';
import type { Execution } from '../../core/domain/execution';
import { type ExecutionStatus, isTerminal } from '../../core/domain/transitions';
import type { PastErrand } from '../../core/domain/errand';
import type { ErrandView, PastErrandView } from '../../core/http/openapi/errand-answers';
import type { ExecutionView } from '../../core/http/openapi/execution';
import { linksOf } from './errand-links';

type Shown = Omit<Execution, 'status'> & { status: ExecutionStatus };

/** What an AWS service does for an execution, until it has been seen to end. */
export function errandView(execution: Shown): Pick<ExecutionView, 'errand'> {
  const name = execution.delegatedTo?.errand?.name ?? errandNameOf(execution);
  if (name === undefined) return {};
  const state = stateOf(execution);
  const errand = execution.delegatedTo?.errand;
  if (!errand) return { errand: { state, name } };
  return {
    errand: {
      type: errand.type,
      state,
      name,
      since: instantText(errand.firstStartAtMs),
      ...linksOf(errand),
      ...(errand.trouble && {
        trouble: { error: errand.trouble.error, since: instantText(errand.trouble.sinceMs) },
      }),
    },
  };
}

function stateOf({ status, delegatedTo, cancelRequested }: Shown): ErrandView['state'] {
  if (isTerminal(status)) return 'lost';
  const errand = delegatedTo?.errand;
  if (!errand) return 'starting';
  if (errand.endsAs ?? cancelRequested) return 'stopping';
  return errand.unresolved ? 'unresolved' : 'watched';
}

/** What an AWS service has done for an attempt. */
export const pastErrandView = (errand: PastErrand): PastErrandView => ({
  type: errand.type,
  ...linksOf(errand),
  ...(errand.steps && {
    steps: errand.steps.map(({ name, state, startedAtMs, endedAtMs }) => ({
      ...{ name, state },
      ...(startedAtMs !== undefined && { startedAt: instantText(startedAtMs) }),
      ...(endedAtMs !== undefined && { endedAt: instantText(endedAtMs) }),
    })),
  }),
});
