import { CASES } from './cases';
import { testSdk } from './suite/sdk';

testSdk('go', CASES);
