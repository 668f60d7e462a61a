/** What the browser searches: of each section, its page, its anchor, its heading and its text. */
export interface SearchData {
  /** `weight`: how much a page counts against others. */
  pages: [path: string, title: string, weight: number][];
  sections: [page: number, anchor: string, heading: string, body: string][];
}
