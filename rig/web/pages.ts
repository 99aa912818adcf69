/** The pages of one site, by the name under which all forms of their path meet, and their bytes. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface Page {
  /** With its dot. */
  extension: string
  content: Content
}

export interface Pages {
  find(path: string): Promise<Page | null>
}

/** `/privacy`, `/privacy.html` and `/privacy/` are one page; so are `/` and `/index.html`. */
export function pageName(path: string): string {
  const name = path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.html$/, '')
  return name === 'index' ? '' : name.replace(/\/index$/, '')
}

/** Only what is listed here can be asked for, so no path leads out of the folder, nor to its site.json. */
export class FolderPages implements Pages {
  readonly #folder: string
  readonly #cache: ContentCache
  #files: Promise<Map<string, string>> | undefined

  constructor(folder: string, cache: ContentCache) {
    this.#folder = folder
    this.#cache = cache
  }

  async find(path: string): Promise<Page | null> {
    this.#files ??= listFiles(this.#folder)
    const file = (await this.#files).get(pageName(path))
    if (file === undefined) return null
    return { extension: extname(file), content: await this.#cache.get(file, () => readFile(file)) }
  }
}

async function listFiles(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file).split(sep).join('/')
    if (entry.isFile() && path !== 'site.json') files.set(pageName(path), file)
  }
  return files
}

export class MemoryPages implements Pages {
  readonly #pages = new Map<string, Page>()

  constructor(pages: Record<string, string | Uint8Array>, encoding: string) {
    for (const [path, body] of Object.entries(pages)) {
      const bytes = typeof body === 'string' ? encodeText(body, encoding) : Buffer.from(body)
      const page = { extension: extname(path) || '.html', content: new Content(bytes) }
      this.#pages.set(pageName(path), page)
    }
  }

  async find(path: string): Promise<Page | null> {
    return this.#pages.get(pageName(path)) ?? null
  }
}

export class Content {
  readonly bytes: Buffer
  #gzipped: Buffer | undefined

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  gzipped(): Buffer {
    return (this.#gzipped ??= gzipSync(this.bytes))
  }
}

/** The files that were read last. What is compressed comes on top, and is never as large. */
export class ContentCache {
  readonly #bytesMax: number
  readonly #contents = new Map<string, Content>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  async get(key: string, read: () => Promise<Buffer>): Promise<Content> {
    const known = this.#contents.get(key)
    if (known) return known
    const content = new Content(await read())
    if (!this.#contents.has(key)) this.#bytes += content.bytes.length
    this.#contents.set(key, content)
    this.#forgetOldest()
    return content
  }

  #forgetOldest(): void {
    for (const [key, content] of this.#contents) {
      if (this.#bytes <= this.#bytesMax) return
      this.#contents.delete(key)
      this.#bytes -= content.bytes.length
    }
  }
}

export function encodeText(text: string, charset: string): Buffer {
  const { encoding } = new TextDecoder(charset)
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  const byteOf = byteTable(encoding)
  return Buffer.from(Array.from(text, (character) => byteOf.get(character) ?? 0x3f))
}

/** A charset of single bytes, turned round: what each of them decodes to leads back to it. */
function byteTable(encoding: string): Map<string, number> {
  const characters = Array.from(new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)))
  if (characters.length !== 256) throw new Error(`Text in ${encoding} must be given as bytes.`)
  return new Map(characters.map((character, byte) => [character, byte]))
}
