/** One file: what they share is then no part of a first visit. */
export { default as Cause } from '../cause/cause';
export { default as Failures } from './failures';
