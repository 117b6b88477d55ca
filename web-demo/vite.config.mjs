import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { docsPages } from './docs-pages.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: './', // any sub-path
  resolve: {
    // The package as a browser gets it.
    alias: { leasegate: here('../js/index.web.js') },
  },
  plugins: [docsPages()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the CSP lets the module be fetched, not carried in a data: address
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
