import { callIncident, type IncidentCalls } from '../../lambdas/core/delivery/call/incident';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import { isIncidentTarget } from '../../lambdas/core/domain/incident';
import type { Clock } from '../../lambdas/core/clock/clock';

/** Calls services of incidents as production does, up to the exchange itself: that is one of HTTP. */
export const withIncidents =
  (call: CallTarget, { alerts, clock }: Pick<IncidentCalls, 'alerts'> & { clock: Clock }): CallTarget =>
  (target, delivery, signal) =>
    isIncidentTarget(target)
      ? callIncident(target, delivery, signal, {
          alerts,
          nowMs: () => clock.nowMs(),
          deployment: 'test',
          send: (http, sent) => call(http, sent, signal),
        })
      : call(target, delivery, signal);
