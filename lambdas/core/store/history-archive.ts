/** Objects that are written once, or again with the same name. Nothing here reads them. */
export interface HistoryArchive {
  /** Throws if the object may not be written. */
  put(name: string, body: Buffer): Promise<void>;
}
