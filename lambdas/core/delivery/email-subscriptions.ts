/** Subscriptions of email addresses to the topic of the deployment's notifications. An address has one. */
export interface EmailSubscriptions {
  /**
   * Subscribes an address to the messages of a project. Its owner gets a mail to confirm it. `taken`: the
   * address is subscribed to the messages of another project, confirmed or not.
   */
  subscribe(project: string, to: string): Promise<'subscribed' | 'taken'>;
  /** The project whose messages the address gets; undefined: its owner has confirmed none. */
  projectOf(to: string): Promise<string | undefined>;
  /**
   * Ends the subscription if it is of that project, and confirmed. One that is not confirmed ends by itself,
   * after 48 hours.
   */
  unsubscribe(project: string, to: string): Promise<void>;
}
