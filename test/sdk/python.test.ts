import { CASES } from './cases';
import { testSdk } from './suite/sdk';

testSdk('python', CASES);
