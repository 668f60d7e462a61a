/** The anchor of a heading, as GitHub makes it, so that links work there and in the site. */
const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replace(/ /g, '-');

/** Gives the headings of one page their anchors: of equal ones, the later have a number. */
export function slugger(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const slug = slugOf(heading);
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/** The anchors of a page, and those that are set by hand. */
export function anchorsOf(text: string): Set<string> {
  const slug = slugger();
  const headings = text.replace(/^ *```.*?^ *```/gms, '').matchAll(/^#{1,6} +(.+?)\s*#*$/gm);
  const set = text.matchAll(/<a (?:id|name)="([^"]+)"/g);
  return new Set([
    ...[...headings].map(([, heading = '']) => slug(heading)),
    ...[...set].map(([, id = '']) => id),
  ]);
}
