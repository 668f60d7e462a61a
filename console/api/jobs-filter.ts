/** What narrows the list of jobs. */
export interface JobsFilter {
  q: string;
  status: string;
  tags: readonly string[];
  lastStatus: string;
}
