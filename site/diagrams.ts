import { renderMermaid } from 'beautiful-mermaid';

/** Colours of the console, since a picture does not see the styles of its page. */
const COLOURS = {
  bg: 'light-dark(#ffffff, #161c25)',
  fg: 'light-dark(#182131, #e7ebf1)',
  muted: 'light-dark(#475264, #b1bac7)',
};

/**
 * A diagram as SVG. Throws if a text of it is missing, because the library leaves out what it cannot read.
 * Its import of a font from another host is taken out.
 */
export async function drawDiagram(source: string): Promise<string> {
  const svg = (await renderMermaid(source, { ...COLOURS, font: 'system-ui' }))
    .replace(/@import url\([^)]*\);?/, '')
    .replace('<style>', '<style>:root { color-scheme: light dark; }');
  const labels = source.matchAll(/\|([^|]+)\||[[(]([^*[\]()]+)[\])]|: (.+)$/gm);
  for (const [, onEdge, inNode, onTransition] of labels) {
    const label = (onEdge ?? inNode ?? onTransition)!;
    if (!svg.includes(`>${label}<`)) throw new Error(`the diagram leaves "${label}" out`);
  }
  return svg;
}
