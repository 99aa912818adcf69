/** The files that the pages of the site load: style sheet, typeface, script and icon. All are read once, at the start. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { PALETTE } from '../../lib/design/palette.ts'
import { readStyleSheet } from '../../lib/design/style-sheet.ts'
import type { Server } from '../http/instance.ts'
import { type SentFile, sendFile, toSentFile } from '../http/sent-file.ts'

const STYLES = readStyleSheet(join(import.meta.dirname, 'styles/site.css'))
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10)

/** Its name changes with its text, so that browsers keep it for ever. */
export const STYLE_PATH = `/assets/site-${hashOf(STYLES)}.css`

/** `npm run build` writes the script. Without it the pages work, with less comfort. */
const BUILT = join(import.meta.dirname, '../../../dist/site')
const scripts = existsSync(BUILT) ? readdirSync(BUILT).filter((name) => name.endsWith('.js')) : []
const script = scripts.find((name) => name.startsWith('site-'))
export const SCRIPT_PATH = script && `/assets/${script}`

/** Written by tools/site-pictures.ts. */
const IMAGES = join(import.meta.dirname, 'images')

const require = createRequire(import.meta.url)
const fontOf = (subset: string) => require.resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`)

const { brand } = PALETTE
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="6" width="28" height="20" rx="5" fill="${brand.light}"/><path d="M8 20v-8l6 8v-8M19 13h6M19 16h6M19 19h4" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`

const FOREVER = 'public, max-age=31536000, immutable'
const DAY = 'public, max-age=86400'

export function assetsRoutes(_app: App, server: Server): void {
  const files = readFiles()
  const newest = new Map(
    [...files].flatMap(([name, { file }]) => {
      const kind = /^site-\w+\.(css|js)$/.exec(name)?.[1]
      return kind ? [[kind, { file, cache: 'no-store' }] as const] : []
    }),
  )
  server.get('/assets/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    // While a release goes out, a page of one process may ask another for a style sheet or script that only the first has.
    const other = /^site-\w+\.(css|js)$/.exec(name)?.[1]
    const found = files.get(name) ?? (other && newest.get(other))
    if (!found) throw new DomainError('not_found', 'There is no such file. Reload the page for the newest.')
    void reply.header('cache-control', found.cache).header('access-control-allow-origin', '*')
    return sendFile(request, reply, found.file)
  })
  // Browsers that do not look at the page ask for it by this name.
  server.get('/favicon.ico', async (_request, reply) => reply.redirect('/assets/icon.svg', 301))
}

function readFiles(): ReadonlyMap<string, { file: SentFile; cache: string }> {
  const font = (subset: string) => ({ file: toSentFile('.woff2', readFileSync(fontOf(subset))), cache: DAY })
  return new Map([
    [STYLE_PATH.slice('/assets/'.length), { file: toSentFile('.css', Buffer.from(STYLES)), cache: FOREVER }],
    ['icon.svg', { file: toSentFile('.svg', Buffer.from(ICON)), cache: DAY }],
    ['inter-latin.woff2', font('latin')],
    ['inter-latin-ext.woff2', font('latin-ext')],
    ...readdirSync(IMAGES).map(
      (name) => [name, { file: toSentFile(extname(name), readFileSync(join(IMAGES, name))), cache: DAY }] as const,
    ),
    ...scripts.map(
      (name) => [name, { file: toSentFile('.js', readFileSync(join(BUILT, name))), cache: FOREVER }] as const,
    ),
  ])
}
