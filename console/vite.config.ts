import { join } from 'node:path'
import { defineConfig } from 'vite'

const proxyTo = (target: string, paths: string[]) => Object.fromEntries(paths.map((path) => [path, { target }]))

/** The console is built into dist/console, which the site serves; it loads nothing from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // `npm run console` beside `npm run dev`: the sources as they change, over the running service.
  server: {
    port: Number(process.env['CONSOLE_PORT'] ?? 4010),
    strictPort: true,
    proxy: proxyTo(`http://localhost:${process.env['PORT'] ?? 4000}`, [
      '/console/session',
      '/sign-in',
      '/sign-out',
      '/assets',
    ]),
  },
  build: {
    outDir: join(import.meta.dirname, '../dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    // The site's policy allows no inline script, and a data: script would be one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries mark files for server rendering, which means nothing here.
      onLog: (level, log, report) => void (log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log)),
    },
  },
})
