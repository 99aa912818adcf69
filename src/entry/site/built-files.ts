import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

export interface BuiltFile {
  type: string
  body: Buffer
  brotli: Buffer
}

const BUILT = join(import.meta.dirname, '../../../dist/console')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The built console, a few hundred kilobytes, held in memory and compressed once. Empty before the first build. */
export function readBuilt(): ReadonlyMap<string, BuiltFile> {
  if (!existsSync(BUILT)) return new Map()
  const entries = readdirSync(BUILT, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      const body = readFileSync(path)
      const type = TYPES[extname(name)] ?? 'application/octet-stream'
      return [relative(BUILT, path), { type, body, brotli: brotliCompressSync(body) }]
    }),
  )
}
