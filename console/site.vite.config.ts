import { join } from 'node:path'
import { defineConfig } from 'vite'

/** The script of the site's pages is built into dist/site. */
export default defineConfig({
  root: join(import.meta.dirname, 'site'),
  publicDir: false,
  build: {
    outDir: join(import.meta.dirname, '../dist/site'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: join(import.meta.dirname, 'site/site.ts'),
      output: { entryFileNames: 'site-[hash].js' },
    },
  },
})
