// The docs as pages beside the demo, so that what it teaches can be read on, offline too.

import { readdirSync, readFileSync } from 'node:fs';
import { Marked } from 'marked';

const DOCS = new URL('../docs/', import.meta.url);

/** A Vite plugin: every docs/*.md becomes docs/*.html in the build. */
export function docsPages() {
  return {
    name: 'docs-pages',
    apply: 'build',
    generateBundle() {
      const names = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
      const pages = names.map((name) => ({ name, text: readFileSync(new URL(name, DOCS), 'utf8') }));
      const menu = pages.map(({ name, text }) => ({
        href: name.replace(/md$/, 'html'),
        title: titleOf(text),
      }));
      for (const { name, text } of pages) {
        const fileName = `docs/${name.replace(/md$/, 'html')}`;
        this.emitFile({
          type: 'asset',
          fileName,
          source: page(titleOf(text), render(text, names), menu, name),
        });
      }
      const source = readFileSync(new URL('docs-pages.css', import.meta.url), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'docs/docs.css', source });
    },
  };
}

const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1] ?? 'leasegate';

function render(text, names) {
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth, text: title }) {
        return `<h${depth} id="${slug(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const [file, anchor] = href.split('#');
        if (file === '' || names.includes(file)) {
          return `<a href="${file.replace(/md$/, 'html')}${anchor ? `#${anchor}` : ''}">${inner}</a>`;
        }
        // Files of the repository are not in the build; other sites stay links.
        return /^https?:/.test(href) ? `<a href="${href}" rel="noreferrer">${inner}</a>` : inner;
      },
    },
  });
  let tables = 0;
  const anchors = new Set();
  const anchored = (code, name) => {
    if (anchors.has(name)) return code;
    anchors.add(name);
    return `<code id="${name}">${name}</code>`;
  };
  // Every error code is a place to link to; wide tables scroll by themselves.
  return marked
    .parse(text)
    .replace(/(?<=<tr>\n)<td>.*<\/td>/g, (cell) => cell.replace(/<code>([a-z_]+)<\/code>/g, anchored))
    .replaceAll('<table>', () => {
      tables += 1;
      return `<div class="table" tabindex="0" role="region" aria-label="Table ${tables}"><table>`;
    })
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/ align="(\w+)"/g, '');
}

function slug(title) {
  return title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function page(title, body, menu, name) {
  const current = name.replace(/md$/, 'html');
  const links = menu
    .map(
      (item) =>
        `<li><a href="${item.href}"${item.href === current ? ' aria-current="page"' : ''}>${item.title}</a></li>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · leasegate</title>
<link rel="icon" href="../favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs.css">
</head>
<body>
<nav aria-label="Docs"><a class="back" href="../index.html">← Demo</a><ul>
${links}
</ul></nav>
<main>
${body}
</main>
</body>
</html>
`;
}
