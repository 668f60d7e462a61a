import { systemClock } from '../clock/system-clock';
import type { LifecycleChoice } from '../contracts/events';
import { batchedEvents, type InvocationEvents } from '../events/batched-events';
import type { PutEvents } from '../events/batched-events';
import type { Telemetry } from './invocation';
import { powertoolsLog } from './logger';
import { type MeterSettings, powertoolsMeter } from './meter';
import { lazy } from '../async/cached';

/** Logs, metrics and events of a stage that ends executions. */
export interface Observability extends Telemetry {
  events: InvocationEvents;
}

export function observabilityOf(
  stage: string,
  env: MeterSettings & { EVENT_BUS: string; LIFECYCLE_EVENTS: LifecycleChoice },
): Observability {
  const log = powertoolsLog(stage);
  const meter = powertoolsMeter(stage, env);
  const bus = lazy(async () => (await import('./event-bus.ts')).eventBus(env.EVENT_BUS));
  const putEvents: PutEvents = async (events) => (await bus())(events);
  return { log, meter, events: batchedEvents({ putEvents, clock: systemClock, log, meter }) };
}
