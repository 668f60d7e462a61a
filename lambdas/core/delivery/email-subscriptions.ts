/** Subscriptions of email addresses to the topic of the deployment's notifications. */
export interface EmailSubscriptions {
  /**
   * Subscribes an address to the messages of a project, unless it is subscribed. Its owner gets a mail to
   * confirm it. `taken`: the address is subscribed to the messages of another project.
   */
  subscribe(project: string, to: string): Promise<'subscribed' | 'taken'>;
  isConfirmed(to: string): Promise<boolean>;
}
