/** What the thread of dynalite is started with. */
export interface DynaliteData {
  /** Absolute path of dynalite's main file. */
  modulePath: string;
  /** Folder of its store; in memory without one. */
  storePath: string | undefined;
}

export interface DynaliteRequest {
  id: number;
  action: string;
  body: string;
}

export interface DynaliteReply {
  id: number;
  status: number;
  headers: Record<string, string>;
  body: string;
}
