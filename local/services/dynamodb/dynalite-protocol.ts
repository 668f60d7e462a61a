/** Start data of the dynalite thread. */
export interface DynaliteData {
  /** Absolute path of dynalite's main file. */
  modulePath: string;
  /** Folder of the tables; undefined keeps them in memory. */
  storePath: string | undefined;
}

export interface DynaliteRequest {
  id: number;
  action: string;
  /** JSON. */
  body: string;
}

export interface DynaliteReply {
  id: number;
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}
