import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt from 'markdown-it';

import { plainText } from './contents';
import { slugger } from './slug';

const LANGUAGES = { bash, http, json, python, typescript, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases('jsonc', { languageName: 'json' });

export interface Heading {
  level: number;
  anchor: string;
  text: string;
}

/** A heading and the text below it, up to the next heading. */
export interface Section extends Heading {
  body: string;
}

export interface Drawn {
  html: string;
  sections: Section[];
  /** The text of each diagram, in their order. */
  diagrams: string[];
}

export interface Drawing {
  linkOf(link: string): string;
  /** The address of a diagram by its place among those of the page. */
  diagramOf(index: number): string;
}

type Markdown = ReturnType<typeof MarkdownIt>;
type Token = ReturnType<Markdown['parse']>[number];

/** The HTML of a page. Code is coloured by classes, since the policy of the site allows no inline styles. */
export function draw(text: string, { linkOf, diagramOf }: Drawing): Drawn {
  const markdown = new MarkdownIt({ html: true, highlight });
  const tokens = markdown.parse(text, {});
  const diagrams: string[] = [];
  const sections: Section[] = [];
  const slug = slugger();
  for (const [index, token] of tokens.entries()) {
    alignByClass(token);
    if (token.type === 'th_open' && tokens[index + 1]!.content === '')
      token.tag = tokens[index + 2]!.tag = 'td'; // a heading without a text would be read out as one
    if (token.type === 'heading_open') {
      const { content, children } = tokens[index + 1]!;
      const anchor = slug(content);
      token.attrSet('id', anchor);
      sections.push({ level: Number(token.tag[1]), anchor, text: plainText(children!), body: '' });
    } else if (token.type === 'inline') {
      for (const child of token.children ?? []) pointTo(child, linkOf);
      addTo(sections, tokens[index - 1]!, plainText(token.children ?? []));
    } else if (token.type === 'fence' && token.info === 'mermaid') diagrams.push(token.content);
    else if (token.type === 'fence') addTo(sections, token, token.content);
  }
  setRules(markdown, (index) => diagramOf(index));
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections, diagrams };
}

function highlight(code: string, language: string): string {
  const known = hljs.getLanguage(language) ? language : undefined;
  return known ? hljs.highlight(code, { language: known }).value : '';
}

function pointTo(token: Token, linkOf: Drawing['linkOf']): void {
  const name = token.type === 'image' ? 'src' : 'href';
  const link = token.attrGet(name);
  if (typeof link === 'string') token.attrSet(name, linkOf(link));
  if (token.type === 'image') token.attrSet('loading', 'lazy');
}

/** Aligned cells of tables come with an inline style, which the policy forbids. */
function alignByClass(token: Token): void {
  const style = token.attrGet('style');
  if (typeof style !== 'string') return;
  token.attrs = token.attrs!.filter(([name]) => name !== 'style');
  token.attrJoin('class', style.replace('text-align:', ''));
}

function addTo(sections: readonly Section[], opening: Token, text: string): void {
  const section = sections.at(-1);
  if (section && opening.type !== 'heading_open') section.body += `${text}\n`;
}

/** What scrolls by itself takes the focus, so that keys scroll it. A heading links to itself. */
function setRules(markdown: Markdown, diagramOf: Drawing['diagramOf']): void {
  const { rules } = markdown.renderer;
  const fence = rules.fence!;
  let diagrams = 0;
  rules.fence = (tokens, index, ...rest) => {
    if (tokens[index]!.info === 'mermaid')
      return `<p class="wide" tabindex="0"><img src="${diagramOf(diagrams++)}" alt="Diagram" /></p>\n`;
    return fence(tokens, index, ...rest).replace('<pre>', '<pre tabindex="0">');
  };
  rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.heading_close = (tokens, index) => {
    const { tag } = tokens[index]!;
    const anchor = tokens[index - 2]?.attrGet('id');
    const link = `<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
    return `${tag === 'h1' ? '' : link}</${tag}>\n`;
  };
}
