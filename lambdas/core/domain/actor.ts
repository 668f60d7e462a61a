/** Who made a change or called an operation. It is stored with what the request changed. */
export interface Actor {
  /** The token's subject; of an API key, the subject that created it. */
  sub: string;
  /** A name for people; null if nothing tells one. */
  name: string | null;
  /** `system`: the deployment itself, for example its canary. */
  via: 'token' | `key:${string}` | 'system';
}

/** Who makes a change, and what the actor writes about it. */
export interface Author {
  by: Actor;
  note?: string;
}
