/** What narrows the list of jobs. */
export interface JobsFilter {
  q: string;
  status: string;
  tags: readonly string[];
  lastStatus: string;
}

/** What a list of jobs has a text by. The API takes 2 to 64 characters; one alone is a beginning. */
export const textQuery = (text: string): { q?: string; contains?: string } =>
  text.length < 2 ? (text ? { q: text } : {}) : { contains: text.slice(0, 64) };
