/** What the browser searches: of each section, its page, its anchor, its heading and its text. */
export interface SearchData {
  /** `weight`: pages of the last part count less, because most readers look for how to use it. */
  pages: [path: string, title: string, weight: number][];
  sections: [page: number, anchor: string, heading: string, body: string][];
}
