import { systemClock } from '../clock/system-clock';
import type { LifecycleChoice } from '../contracts/events';
import { eventBridgeClient } from './clients';
import { eventBridgeEvents, type InvocationEvents } from './event-bridge';
import type { Telemetry } from './invocation';
import { powertoolsLog } from './logger';
import { type MeterSettings, powertoolsMeter } from './meter';

/** How a stage that ends executions tells of its work. */
export interface Instruments extends Telemetry {
  events: InvocationEvents;
}

export function instrumentsOf(
  stage: string,
  env: MeterSettings & { EVENT_BUS: string; LIFECYCLE_EVENTS: LifecycleChoice },
): Instruments {
  const log = powertoolsLog(stage);
  const meter = powertoolsMeter(stage, env);
  const bus = { client: eventBridgeClient(), busName: env.EVENT_BUS, clock: systemClock };
  return { log, meter, events: eventBridgeEvents({ ...bus, log, meter }) };
}
