import type { DynamoBackend, OpenBackend } from '../support/dynamo/backend';
import { describeApiKeyStore } from './api-key-store.suite';
import { describeAuditStore } from './audit-store.suite';
import { describeCalendarStore } from './calendar-store.suite';
import { describeCauseStores } from './cause-stores.suite';
import { describeDelayedRuns } from './delayed-runs.suite';
import { describeChangeStore } from './change-store.suite';
import { describeConcurrencyStore } from './concurrency-store.suite';
import { describeEndsJournal } from './ends-journal.suite';
import { describeErrandStore } from './errand-store.suite';
import { describeExecutionLeases } from './execution-lease.suite';
import { describeExecutionRecovery } from './execution-recovery.suite';
import { describeExecutionRows } from './execution-rows.suite';
import { describeFailureAckStore } from './failure-ack-store.suite';
import { describeFailures } from './failures.suite';
import { describeFanOutStore } from './fan-out-store.suite';
import { describeDelegation } from './delegate-lease.suite';
import { describeLeavingToErrand } from './leave-to-errand.suite';
import { describeOverlapLockStore } from './overlap-lock-store.suite';
import { describeJobStore } from './job-store.suite';
import { describeNotificationStores } from './notification-store.suite';
import { describePacks } from './packs.suite';
import { describeOrderingStore } from './ordering-store.suite';
import { describeLogStore } from './log-store.suite';
import { describeLostAnswers } from './lost-answer.suite';
import { describeMarks } from './marks.suite';
import { describeScheduleControl } from './schedule-control.suite';
import { describeScheduleStore } from './schedule-store.suite';
import { describePingKeyStore } from './ping-key-store.suite';
import { describeSecretStores } from './secret-store.suite';
import { describeRunLabelStore } from './run-label-store.suite';
import { describeRunStores } from './run-store.suite';
import { storeSetup, type StoreSetup } from './store-setup';
import { describeCallLoadStore } from './call-load-store.suite';
import { describeUsageStore } from './usage-store.suite';
import { describeAwaitStore } from './await-store.suite';
import { describeWaitingStore } from './waiting-store.suite';
import { describeWorkStore } from './work-store.suite';

/**
 * One suite for every DynamoDB: AWS, emulators, memory. A backend's own test file says only how to open it.
 */
export function describeStores(name: string, open: OpenBackend): void {
  describe(`stores on ${name}`, () => {
    let backend: DynamoBackend;
    let opened: StoreSetup;
    let packing: StoreSetup;
    const setup = () => opened;

    beforeAll(async () => {
      backend = await open();
      opened = storeSetup(backend);
      packing = storeSetup(backend, 'write');
    }, 120_000);

    afterAll(() => backend?.close());

    describeJobStore(setup);
    describeExecutionLeases(setup);
    describeExecutionRecovery(setup);
    describeDelegation(setup);
    describeLeavingToErrand(setup);
    describeExecutionRows(setup);
    describeFailures(setup);
    describeFailureAckStore(setup);
    describeEndsJournal(setup);
    describeRunLabelStore(setup);
    describeScheduleStore(setup);
    describeScheduleStore(() => packing, 'packs');
    describePacks(setup, () => packing);
    describeScheduleControl(setup);
    describeOverlapLockStore(setup);
    describeOrderingStore(setup);
    describeConcurrencyStore(setup);
    describeWorkStore(setup);
    describeLogStore(setup);
    describeUsageStore(setup);
    describeCallLoadStore(setup);
    describeApiKeyStore(setup);
    describePingKeyStore(setup);
    describeSecretStores(setup);
    describeNotificationStores(setup);
    describeAuditStore(setup);
    describeChangeStore(setup);
    describeCalendarStore(setup);
    describeRunStores(setup);
    describeMarks(setup);
    describeFanOutStore(setup);
    describeWaitingStore(setup);
    describeAwaitStore(setup);
    describeErrandStore(setup);
    describeCauseStores(setup);
    describeDelayedRuns(setup);
    describeLostAnswers(setup);
  });
}
