import type { Sdk } from '../suite/sdk';
import { answerCases, listCases } from './client-answers';
import { repeatCases } from './client-repeats';
import { requestCases } from './client-requests';

/** All cases, in the order of the table. */
export const CASES: readonly ((sdk: Sdk) => void)[] = [requestCases, repeatCases, answerCases, listCases];
