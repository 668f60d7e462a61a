import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { build as bundle } from 'esbuild';

import { openApiDocument } from '../lambdas/core/http/openapi/document';
import { drawDiagram } from './diagrams';
import { layout } from './layout';
import { destinationOf, linkTo, pictureOf, relative, twinOf } from './links';
import { llms } from './llms';
import { draw, type Section } from './markdown';
import type { Page } from './page';
import { searchData } from './search-data';
import { readSite, type Site } from './site';

const STYLES = [
  'console/style/tokens.css',
  ...['frame', 'text', 'code-and-search', 'narrow'].map((name) => `site/style/${name}.css`),
];

/** Writes the site into a folder, which is emptied first. Returns the number of its pages. */
export async function buildSite(root: string, folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const write = (file: string, text: string): void => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const site = readSite(root);
  const drawn: { page: Page; sections: Section[] }[] = [];
  for (const page of site.pages.values()) {
    const { html, sections, diagrams } = drawPage(page, site, folder);
    write(`${page.path}.html`, layout(page, { html, sections }, site));
    write(`${page.path}.md`, twinOf(page, site));
    for (const [index, source] of diagrams.entries())
      write(diagramOf(page, index), await drawDiagram(source));
    drawn.push({ page, sections });
  }
  write('search.js', `globalThis.quarterjackSearch = ${JSON.stringify(searchData(drawn, site))};\n`);
  write('llms.txt', llms(site));
  write('openapi.json', JSON.stringify(openApiDocument()));
  write('site.css', STYLES.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'));
  copyFileSync(join(root, 'console/public/mark.svg'), join(folder, 'mark.svg'));
  await bundle({
    entryPoints: [join(root, 'site/browser/site.ts')],
    outfile: join(folder, 'site.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  });
  return drawn.length;
}

const diagramOf = ({ path }: Page, index: number): string => `diagrams/${path}-${index + 1}.svg`;

/** Draws a page, and copies the pictures that it shows. */
function drawPage(page: Page, site: Site, folder: string) {
  const linkOf = (link: string): string => {
    const destination = destinationOf(link, page, site);
    if (destination.type === 'picture') {
      const copy = join(folder, pictureOf(destination.file));
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(site.root, destination.file), copy);
    }
    return linkTo(destination, page, '.html');
  };
  return draw(page.text, { linkOf, diagramOf: (index) => relative(page.path, diagramOf(page, index)) });
}
