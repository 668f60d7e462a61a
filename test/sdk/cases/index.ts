import type { Sdk } from '../suite/sdk';
import { answerCases, listCases } from './client-answers';
import { repeatCases } from './client-repeats';
import { requestCases } from './client-requests';
import { deliveryCases } from './deliveries';
import { jobWorkerCases, lambdaCases } from './jobs-elsewhere';
import { servedCases } from './jobs-in-code';
import { localRunCases } from './local-run';
import { endCases } from './worker-ends';
import { clockCases, leaseCases } from './worker-leases';
import { logCases } from './worker-logs';
import { outcomeCases } from './worker-outcomes';

/** All cases, in the order of the table. */
export const CASES: readonly ((sdk: Sdk) => void)[] = [
  ...[requestCases, repeatCases, answerCases, listCases],
  ...[deliveryCases, servedCases, lambdaCases, jobWorkerCases],
  ...[outcomeCases, leaseCases, clockCases, logCases, endCases],
  localRunCases,
];
