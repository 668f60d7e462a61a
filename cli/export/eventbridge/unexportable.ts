/** What a job has that EventBridge Scheduler cannot do. The message says what. */
export class Unexportable extends Error {
  override readonly name = 'Unexportable';
}
