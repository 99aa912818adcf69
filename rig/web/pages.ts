/** The pages of one site, by the name under which all forms of their path meet. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { encodeText } from './charset.ts'
import { Content, type ContentCache } from './content.ts'

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
